// The web worker's function of an element.
export default function doubles(values) {
  return values.map((value) => 2 * value);
}
