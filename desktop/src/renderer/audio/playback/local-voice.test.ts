import { afterEach, expect, it, vi } from 'vitest';
import type { HostClient } from '../../foundation/host/host-connection.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

it('speaks the first sentence in the system’s voice, which a browser loads only on request', async () => {
  let voices: object[] = [];
  const spokenBy: unknown[] = [];
  const synthesis = Object.assign(new EventTarget(), {
    getVoices: () => voices,
    cancel: () => undefined,
    speak: (utterance: EventTarget & { voice: { name: string } }) => {
      spokenBy.push(utterance.voice.name);
      utterance.dispatchEvent(new Event('end'));
    },
  });
  vi.stubGlobal('speechSynthesis', synthesis);
  vi.stubGlobal('SpeechSynthesisUtterance', class extends EventTarget {});
  vi.stubGlobal('navigator', { mediaDevices: new EventTarget() });
  // The output device belongs to a window, and each test needs a new one.
  vi.resetModules();
  const { speakLocally } = await import('./local-voice.ts');
  const client = {
    voice: {
      speak: async () => {
        throw new Error('the bundled voice was asked');
      },
    },
  } as unknown as HostClient;
  const speaking = speakLocally(client, {
    text: 'Good morning.',
    voice: { gender: 'female', locale: 'en-US', rate: 1, pitch: 1 },
    rate: 1,
    signal: new AbortController().signal,
  });
  voices = [{ name: 'Samantha', lang: 'en-US', localService: true }];
  synthesis.dispatchEvent(new Event('voiceschanged'));
  await speaking;
  expect(spokenBy).toEqual(['Samantha']);
});
