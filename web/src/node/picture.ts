/** An image in rows of pixels, with one byte per sample. */
export interface Picture {
  width: number;
  height: number;
  /** 1: grey; 2: grey and alpha; 3: RGB; 4: RGB and alpha. */
  channels: number;
  data: Uint8Array;
}

/** Converts a picture to another number of channels. Alpha is dropped or opaque; grey is the luma of RGB. */
export function convertChannels(picture: Picture, channels: number): Picture {
  const { width, height, channels: given, data } = picture;
  if (given === channels) return picture;
  const converted = new Uint8Array(width * height * channels);
  const hasColors = given > 2;
  const hasAlpha = given % 2 === 0;
  for (let i = 0; i < width * height; i++) {
    const [r, g, b] = hasColors
      ? [0, 1, 2].map((k) => data[i * given + k]!)
      : new Array<number>(3).fill(data[i * given]!);
    const grey = hasColors ? Math.round(0.299 * r! + 0.587 * g! + 0.114 * b!) : r!;
    const alpha = hasAlpha ? data[i * given + given - 1]! : 255;
    converted.set([...(channels > 2 ? [r!, g!, b!] : [grey]), ...(channels % 2 === 0 ? [alpha] : [])], i * channels);
  }
  return { width, height, channels, data: converted };
}
