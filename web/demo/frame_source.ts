type Frame = ImageBitmap | HTMLVideoElement;

/** The source of frames: a camera, or a still picture. */
export class FrameSource {
  #frame: Frame | undefined;

  get isOpen(): boolean {
    return this.#frame !== undefined;
  }

  /** Requests the camera. Rejects if there is none, or permission is denied. */
  async openCamera(): Promise<void> {
    const video = document.createElement('video');
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 480 } });
    video.muted = true;
    await video.play();
    this.close();
    this.#frame = video;
  }

  /** Opens a file. Rejects if it is no picture. */
  async openPicture(file: File): Promise<void> {
    const picture = await createImageBitmap(file);
    this.close();
    this.#frame = picture;
  }

  /** Returns the current frame. */
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
