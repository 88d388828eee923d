import { byId } from './page.js';

/** Width and height of a picture. */
export const kSide = 360;
const kBalls = 5;
/** Speed of the fastest ball, in radians per second. */
const kSpeed = 1.4;

/** An animation in place of a camera, so that no permission is asked for. */
const canvas = byId<HTMLCanvasElement>('picture');
canvas.width = canvas.height = kSide;
const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true })!;

/** The last picture. */
export let picture = context.getImageData(0, 0, kSide, kSide);

/** Draws the scene at a time, in seconds. */
export function takePicture(time: number): void {
  const sky = context.createLinearGradient(0, 0, 0, kSide);
  const day = 30 + 15 * Math.sin(time / 2);
  sky.addColorStop(0, `hsl(215 60% ${day}%)`);
  sky.addColorStop(1, `hsl(200 70% ${day + 30}%)`);
  context.fillStyle = sky;
  context.fillRect(0, 0, kSide, kSide);
  for (let ball = 0; ball < kBalls; ball++) {
    const angle = time * kSpeed * (1 - ball / (kBalls + 2)) + ball;
    const radius = kSide * (0.05 + 0.02 * ball);
    const [x, y] = [kSide * (0.5 + 0.36 * Math.cos(angle)), kSide * (0.5 + 0.36 * Math.sin(angle * 1.3 + ball))];
    context.fillStyle = `hsl(${25 + 22 * ball} 90% 60%)`;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
  }
  picture = context.getImageData(0, 0, kSide, kSide);
}
