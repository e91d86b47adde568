/** A room in which the microphone picks up what the loudspeaker plays. It runs in the page, before the app does. */

export interface LoopbackRoom {
  /**
   * The sound cues in order: their length, whether a voice was playing when they began, and their samples at 16 kHz.
   */
  cues: { lengthMs: number; duringSpeech: boolean; samples: number[] }[];
  /** The peak amplitude that the loudspeaker has sent into the room. */
  loudest: () => number;
  /** For each recording, the time from opening the microphone to the first sample. */
  captureDelaysMs: number[];
}

declare global {
  var loopbackRoom: LoopbackRoom;
}

export function installLoopbackRoom(): void {
  const longestCueS = 0.2;
  const room = new AudioContext();
  const air = room.createGain();
  const meter = room.createAnalyser();
  const voices = new Set<HTMLMediaElement>();
  let loudest = 0;
  let openedAt = 0;
  globalThis.loopbackRoom = { cues: [], loudest: () => loudest, captureDelaysMs: [] };

  const connect = AudioNode.prototype.connect as (this: AudioNode, to: AudioNode, ...rest: number[]) => AudioNode;
  const join = (from: AudioNode, to: AudioNode): void => void connect.call(from, to);
  join(air, meter);
  const samples = new Float32Array(meter.fftSize);
  setInterval(() => {
    meter.getFloatTimeDomainData(samples);
    loudest = samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), loudest);
  }, 5);
  AudioNode.prototype.connect = function (this: AudioNode, to: AudioNode, ...rest: number[]) {
    if (to instanceof AudioDestinationNode && this.context instanceof AudioContext) {
      const loudspeaker = this.context.createMediaStreamDestination();
      join(this, loudspeaker);
      join(room.createMediaStreamSource(loudspeaker.stream), air);
    }
    if (to instanceof AudioWorkletNode) globalThis.loopbackRoom.captureDelaysMs.push(performance.now() - openedAt);
    return connect.call(this, to, ...rest);
  } as AudioNode['connect'];

  const getUserMedia = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (constraints) => {
    const heard = room.createMediaStreamDestination();
    join(room.createMediaStreamSource(await getUserMedia(constraints)), heard);
    join(air, heard);
    await room.resume();
    openedAt = performance.now();
    return heard.stream;
  };

  const play = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
    voices.add(this);
    return play.call(this);
  };
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (this: AudioBufferSourceNode, ...when: [number?]) {
    const played = this.buffer;
    if (played !== null && played.duration < longestCueS) {
      const channel = played.getChannelData(0);
      globalThis.loopbackRoom.cues.push({
        lengthMs: Math.round(played.duration * 1_000),
        duringSpeech: [...voices].some((voice) => !voice.paused && !voice.ended),
        samples: Array.from(
          { length: Math.floor(played.duration * 16_000) },
          (_, at) => channel[Math.round((at * played.sampleRate) / 16_000)] ?? 0,
        ),
      });
    }
    return start.call(this, ...when);
  };
}
