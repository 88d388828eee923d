// What a web worker does with an element.
export default function doubles(values) {
  return values.map((value) => 2 * value);
}
