/** Runs in the page: cuts the connection to the host on `crash`, and keeps the microphones that were opened. */
export function simulateHostCrash(): void {
  const media = navigator.mediaDevices;
  const getUserMedia = media.getUserMedia.bind(media);
  const tracks: MediaStreamTrack[] = [];
  media.getUserMedia = async (constraints) => {
    const stream = await getUserMedia(constraints);
    tracks.push(...stream.getAudioTracks());
    return stream;
  };
  Object.assign(window, { microphoneTracks: tracks });
  window.WebSocket = class extends WebSocket {
    constructor(url: string | URL) {
      super(url);
      window.addEventListener('crash', () => this.close());
    }
  };
}
