type Frame = ImageBitmap | HTMLVideoElement;

/** Where frames come from: a camera, or a picture that is always the same. */
export class FrameSource {
  #frame: Frame | undefined;

  get isOpen(): boolean {
    return this.#frame !== undefined;
  }

  /** Asks for the camera. Rejects where there is none, or it is not given. */
  async openCamera(): Promise<void> {
    const video = document.createElement('video');
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 480 } });
    video.muted = true;
    await video.play();
    this.close();
    this.#frame = video;
  }

  /** Rejects for a file that is no picture. */
  async openPicture(file: File): Promise<void> {
    const picture = await createImageBitmap(file);
    this.close();
    this.#frame = picture;
  }

  /** What there is to see now. */
  frame(): Frame {
    if (!this.#frame) throw new Error('no picture and no camera was chosen');
    return this.#frame;
  }

  close(): void {
    if (this.#frame instanceof HTMLVideoElement) {
      for (const track of (this.#frame.srcObject as MediaStream).getTracks()) track.stop();
    } else {
      this.#frame?.close();
    }
    this.#frame = undefined;
  }
}
