const kBox = [255, 200, 0];
const kMesh = [0, 255, 160];
const kIris = [255, 60, 120];

/** Draws boxes, mesh points and iris circles into the pixels of a picture. */
export function drawFaces({ width, height, data }, faces) {
  const dot = (x, y, color) => {
    const [column, row] = [Math.round(x), Math.round(y)];
    if (column < 0 || row < 0 || column >= width || row >= height) return;
    data.set(color, 3 * (row * width + column));
  };
  const line = ([x0, y0], [x1, y1], color) => {
    const steps = Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1));
    for (let i = 0; i <= steps; i++) dot(x0 + ((x1 - x0) * i) / steps, y0 + ((y1 - y0) * i) / steps, color);
  };
  const outline = (points, color) => points.forEach((point, i) => line(point, points[(i + 1) % points.length], color));
  for (const { box, mesh, irises } of faces) {
    const [right, bottom] = [box.left + box.size, box.top + box.size];
    outline(
      [
        [box.left, box.top],
        [right, box.top],
        [right, bottom],
        [box.left, bottom],
      ],
      kBox,
    );
    for (const [x, y] of mesh) dot(x, y, kMesh);
    for (const [, ...ring] of irises) outline(ring, kIris);
  }
}
