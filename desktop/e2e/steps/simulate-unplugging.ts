/** Runs in the page: simulates unplugging and plugging in the microphone. */
export function simulateUnplugging(): void {
  const media = navigator.mediaDevices;
  const getUserMedia = media.getUserMedia.bind(media);
  const enumerateDevices = media.enumerateDevices.bind(media);
  let isConnected = true;
  let last: MediaStreamTrack | undefined;
  media.getUserMedia = async (constraints) => {
    if (!isConnected) throw new DOMException('unplugged', 'NotFoundError');
    const stream = await getUserMedia(constraints);
    last = stream.getAudioTracks()[0];
    return stream;
  };
  media.enumerateDevices = async () => (isConnected ? enumerateDevices() : []);
  const connect = (is: boolean): void => {
    isConnected = is;
    media.dispatchEvent(new Event('devicechange'));
  };
  window.addEventListener('unplug', () => {
    connect(false);
    last?.stop();
    last?.dispatchEvent(new Event('ended'));
  });
  window.addEventListener('plug', () => connect(true));
}
