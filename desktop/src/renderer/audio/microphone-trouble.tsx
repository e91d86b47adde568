/** A recording that could not go on: why, what is kept, and when there is a microphone again. */
import { Banner } from '@parley/ui';
import { type ReactElement, useEffect, useState } from 'react';
import { listMicrophones, MicrophoneError } from './microphone.ts';
import { microphoneSentence } from './microphone-sentence.ts';

export function MicrophoneTrouble({ error }: { error: unknown }): ReactElement {
  const wasUnplugged = error instanceof MicrophoneError && error.failure === 'unplugged';
  const isThere = useMicrophoneIsThere(wasUnplugged);
  if (wasUnplugged && isThere) {
    return (
      <Banner tone="warn">
        The microphone was unplugged. What you said until then is kept. A microphone is connected now: you can go on.
      </Banner>
    );
  }
  return <Banner tone="error">{microphoneSentence(error)}</Banner>;
}

/** Whether one is connected, as long as somebody wants to know. */
function useMicrophoneIsThere(isWanted: boolean): boolean {
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    if (!isWanted) return;
    let hasLeft = false;
    const look = async (): Promise<void> => {
      const found = await listMicrophones().catch(() => []);
      if (!hasLeft) setThere(found.length > 0);
    };
    const lookNow = (): void => void look();
    lookNow();
    navigator.mediaDevices.addEventListener('devicechange', lookNow);
    return () => {
      hasLeft = true;
      navigator.mediaDevices.removeEventListener('devicechange', lookNow);
    };
  }, [isWanted]);
  return isThere;
}
