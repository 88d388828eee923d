export function drawDigits(count: number, seed?: number): { images: Float32Array; labels: Uint8Array };
