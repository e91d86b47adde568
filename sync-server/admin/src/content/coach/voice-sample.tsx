/** Plays a sentence in a coach's voice: by the server's voice service, or else by a voice of this computer, as the app does. */
import { t } from '@parley/i18n';
import type { CoachVoice } from '@parley/domain';
import { Button } from '@parley/ui';
import { chooseVoice, loadVoices, speakWithSystemVoice } from '@parley/ui/voices';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef } from 'react';
import { client } from '../../foundation/api/client.ts';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import css from '../content.module.css';

const MAX_NAME = 60;

type SpokenBy = 'service' | 'computer' | 'none';

export function VoiceSample({ name, voice }: { name: string; voice: CoachVoice }): ReactElement {
  const playing = useRef(new AbortController());
  useEffect(() => () => playing.current.abort(), []);
  const play = useMutation({
    mutationFn: () => {
      playing.current.abort();
      playing.current = new AbortController();
      return speakSample({ text: greetingOf(name), voice, signal: playing.current.signal });
    },
  });
  const isPlaying = play.isPending;
  return (
    <div>
      <Button icon="speaker" onPress={() => (isPlaying ? playing.current.abort() : play.mutate())}>
        {isPlaying ? t('Stop') : t('Play a sample')}
      </Button>
      {play.isError && <ErrorBanner error={play.error} />}
      {play.data !== undefined && (
        <div role="status" className={css['notes']}>
          <p>{SENTENCES[play.data]}</p>
        </div>
      )}
    </div>
  );
}

const SENTENCES: Readonly<Record<SpokenBy, string>> = {
  service: t('That was your server’s voice, as learners hear it.'),
  computer: t('Your server has no voice, so your computer spoke. Each learner hears a voice of their own computer.'),
  none: t(
    'Your server has no voice, and this browser has no English one. Learners hear a voice of their own computer.',
  ),
};

/** Coaches speak English in every language of the panel. */
function greetingOf(name: string): string {
  const greeting = { named: 'Hello, I’m {name}. Tell me about your work.', unnamed: 'Hello. Tell me about your work.' };
  const shown = [...name.trim()].slice(0, MAX_NAME).join('');
  return shown === '' ? greeting.unnamed : greeting.named.replace('{name}', () => shown);
}

async function speakSample(sample: { text: string; voice: CoachVoice; signal: AbortSignal }): Promise<SpokenBy> {
  const { text, voice, signal } = sample;
  const answer = await client.content.speakSample({ text, voice });
  if (answer.status === 'spoken') {
    await playWav(answer.wav, signal);
    return 'service';
  }
  const systemVoice = chooseVoice(await loadVoices(), voice);
  if (systemVoice === null) return 'none';
  await speakWithSystemVoice(systemVoice, { text, voice, rate: 1, signal });
  return 'computer';
}

/** Resolves when playback has ended or is aborted. Rejects when it cannot be played. */
async function playWav(base64: string, signal: AbortSignal): Promise<void> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([bytes], { type: 'audio/wav' }));
  const audio = new Audio(address);
  const stopped = new Promise<void>((resolve) => {
    for (const event of ['ended', 'pause', 'error']) audio.addEventListener(event, () => resolve());
  });
  signal.addEventListener('abort', () => audio.pause());
  try {
    if (signal.aborted) return;
    await audio.play();
    await stopped;
  } catch (error) {
    // Playback that is stopped before it begins rejects.
    if (!signal.aborted) throw error;
  } finally {
    URL.revokeObjectURL(address);
  }
}
