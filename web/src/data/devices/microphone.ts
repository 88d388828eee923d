import { env } from '../../device/environment.js';
import { tensor } from '../../ops/movement/tensor_creation.js';
import type { Tensor2D, Tensor3D } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';
import { Capture, requestStream } from './capture.js';

/** Options of microphone(). */
export interface MicrophoneConfig {
  /** Expected sample rate in hertz; another one throws. */
  sampleRateHz?: 44100 | 48000;
  /** Number of frequencies per frame: a power of 2 from 16 to 16384; 1024 by default. */
  fftSize?: number;
  /** Number of frequencies that are returned, the lowest first; all by default. */
  columnTruncateLength?: number;
  /** Number of frames per capture; 43 by default. */
  numFramesPerSpectrogram?: number;
  /** Constraints of the audio track, as for getUserMedia(). */
  audioTrackConstraints?: MediaTrackConstraints;
  /** Weight of the previous frame in a frame, from 0 to 1; 0 by default. */
  smoothingTimeConstant?: number;
  /** True to capture a spectrogram, as by default. */
  includeSpectrogram?: boolean;
  /** True to capture a waveform; false by default. */
  includeWaveform?: boolean;
}

/** One capture of a microphone. */
export interface AudioData {
  /** Decibels as float32[frames, frequencies, 1], if requested. */
  spectrogram: Tensor3D | undefined;
  /** Samples from -1 to 1 as float32[frames x fftSize, 1], if requested. */
  waveform: Tensor2D | undefined;
}

type Settings = Required<Omit<MicrophoneConfig, 'sampleRateHz' | 'audioTrackConstraints'>>;

/** An iterator over captures of a microphone. */
export class MicrophoneIterator extends Capture<AudioData> {
  /** @internal */
  protected readonly what = 'audio';
  #stopWaiting: (() => void) | undefined;

  /** @internal */
  constructor(
    stream: MediaStream,
    private readonly context: AudioContext,
    private readonly analyser: AnalyserNode,
    private readonly settings: Settings,
  ) {
    super(stream);
  }

  /** Returns the sample rate in hertz. */
  getSampleRate(): number {
    return this.context.sampleRate;
  }

  /** @internal */
  protected override async read(): Promise<AudioData | undefined> {
    const {
      fftSize,
      numFramesPerSpectrogram: frames,
      columnTruncateLength: columns,
      includeSpectrogram,
      includeWaveform,
    } = this.settings;
    const spectrum = new Float32Array(includeSpectrogram ? frames * columns : 0);
    const wave = new Float32Array(includeWaveform ? frames * fftSize : 0);
    const frequencies = new Float32Array(fftSize);
    const samples = new Float32Array(fftSize);
    for (let frame = 0; frame < frames; frame++) {
      await this.#wait((fftSize / this.context.sampleRate) * 1000);
      if (this.stopped) return undefined;
      this.analyser.getFloatFrequencyData(frequencies);
      this.analyser.getFloatTimeDomainData(samples);
      // Frequencies are -Infinity until the stream has begun. Such frames stay zero.
      if (includeSpectrogram && frequencies[0] !== -Infinity)
        spectrum.set(frequencies.subarray(0, columns), frame * columns);
      if (includeWaveform) wave.set(samples, frame * fftSize);
    }
    return {
      spectrogram: includeSpectrogram ? (tensor(spectrum, [frames, columns, 1]) as unknown as Tensor3D) : undefined,
      waveform: includeWaveform ? (tensor(wave, [frames * fftSize, 1]) as unknown as Tensor2D) : undefined,
    };
  }

  /** @internal */
  protected override release(): void {
    this.analyser.disconnect();
    void this.context.close();
    this.#stopWaiting?.();
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#stopWaiting = resolve;
      setTimeout(resolve, milliseconds);
    });
  }
}

/** Opens the microphone, for which the page's user is asked. Rejects outside of pages. */
export async function microphone(config: MicrophoneConfig = {}): Promise<MicrophoneIterator> {
  if (!env().get('IS_BROWSER')) throw new Error('microphone API is only supported in browser environment.');
  const settings = resolveSettings(config);
  const stream = await requestStream({ audio: config.audioTrackConstraints ?? true, video: false });
  const context = new AudioContext();
  if (config.sampleRateHz && context.sampleRate !== config.sampleRateHz) {
    for (const track of stream.getTracks()) track.stop();
    await context.close();
    throw new Error(`Mismatch in sampling rate: Expected: ${config.sampleRateHz}; Actual: ${context.sampleRate}`);
  }
  const analyser = context.createAnalyser();
  analyser.fftSize = settings.fftSize * 2;
  analyser.smoothingTimeConstant = settings.smoothingTimeConstant;
  context.createMediaStreamSource(stream).connect(analyser);
  return new MicrophoneIterator(stream, context, analyser, settings);
}

function resolveSettings(config: MicrophoneConfig): Settings {
  const fftSize = config.fftSize || 1024;
  const log2 = Math.log2(fftSize);
  assert(
    Number.isInteger(log2) && log2 >= 4 && log2 <= 14,
    () => `Invalid fftSize: it must be a power of 2 between 2 to 4 and 2 to 14, but got ${fftSize}`,
  );
  const { includeSpectrogram = true, includeWaveform = false } = config;
  assert(
    includeSpectrogram || includeWaveform,
    () => 'Both includeSpectrogram and includeWaveform are false. At least one type of data should be returned.',
  );
  return {
    fftSize,
    columnTruncateLength: config.columnTruncateLength || fftSize,
    numFramesPerSpectrogram: config.numFramesPerSpectrogram || 43,
    smoothingTimeConstant: config.smoothingTimeConstant || 0,
    includeSpectrogram,
    includeWaveform,
  };
}
