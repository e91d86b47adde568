/** A turn by voice that goes wrong in a real browser: nobody can write it down, the window is closed, the microphone is unplugged. */
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectAccessible } from './support/accessible.ts';
import { beginByVoice } from './support/hold-live.ts';
import { setUpLaptop } from './support/set-up-laptop.ts';
import { json, saying, startLiveServer } from './support/live-server.ts';
import { heardInTurn } from './support/speak-live.ts';

const SAID = 'I am sorry, the delivery will be two weeks late.';
const NOT_WRITTEN = 'Your words could not be written down.';

const microphone = heardInTurn();
if (microphone === null) console.warn('skipped: speaking needs espeak-ng (Debian: espeak-ng)');

const scene = setUpLaptop(startLiveServer);
const open = (): Promise<Page> => scene.laptop.open(microphone === null ? {} : { microphone });

/** As often as the server asks. */
const failing = (): void =>
  void scene.server.says.transcript.push(
    ...Array.from({ length: 8 }, () => ({ does: 'reject', status: 500 }) as const),
  );

async function speakFor(page: Page, ms: number): Promise<void> {
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await page.getByText('Recording').waitFor();
  await page.waitForTimeout(ms);
}

const stopSpeaking = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Stop and see what was heard' }).click();

it.skipIf(microphone === null)('a turn that nobody could write down is there again, and is heard then', async () => {
  const page = await open();
  scene.server.says.reply.push(saying('Good morning, this is Grace. Do you have news about our order?'));
  await beginByVoice(page);
  failing();
  await speakFor(page, 4_000);
  await stopSpeaking(page);
  await page.getByText(NOT_WRITTEN).waitFor();
  await expectAccessible(page);

  await page.reload();
  await page.getByText(NOT_WRITTEN).waitFor();
  // Whoever begins to write instead has lost nothing by it.
  await page.getByRole('button', { name: 'Write instead' }).click();
  await page.getByLabel('Write your answer').waitFor();
  await page.getByRole('button', { name: 'Back to what you said' }).click();
  scene.server.says.transcript.length = 0;
  scene.server.says.transcript.push(saying(SAID));
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('We heard').waitFor();
  scene.server.says.reply.push(saying('Two weeks? What happened?'));
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Two weeks? What happened?').waitFor();
});

it.skipIf(microphone === null)(
  'a reload in the middle of a turn loses neither what was said nor the hints',
  async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Continue' }).click();
    const hint = json({ replies: [{ keywords: 'the supplier', sentence: 'Our supplier has a problem.' }] });
    scene.server.says.hint.push(hint, hint);
    await page.getByRole('button', { name: 'Give me a hint' }).click();
    await page.getByText('You could talk about').waitFor();
    await speakFor(page, 3_500);
    scene.server.says.transcript.push(saying(SAID));
    await page.reload();
    await page.getByText('Your recording was interrupted, but what you said until then is kept').waitFor();
    await page.getByText('We heard').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Write instead' }).click();
    await page.getByText('the supplier').waitFor();
    await page.getByRole('button', { name: 'Back to what you said' }).click();
    scene.server.says.reply.push(saying('And when will the parts be here?'));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('And when will the parts be here?').waitFor();
  },
);

it.skipIf(microphone === null)(
  'a microphone that is unplugged is told at once, and what was said is kept',
  async () => {
    const page = await open();
    await page.addInitScript(listenForUnplugging);
    await page.reload();
    await page.getByRole('button', { name: 'Continue' }).click();
    await speakFor(page, 3_500);
    scene.server.says.transcript.push({ does: 'answer_late', ms: 1_500, text: SAID });
    await page.evaluate(() => window.dispatchEvent(new Event('unplug')));
    // Before anybody has listened to it.
    await page.getByText('The microphone was unplugged. What you said until then is kept. Plug it in').waitFor();
    expect(await page.getByText('We heard').count()).toBe(0);
    await page.getByText('We heard').waitFor();
    await page.getByText('The microphone was unplugged. What you said until then is kept. Plug it in').waitFor();
    await expectAccessible(page);
    await page.evaluate(() => window.dispatchEvent(new Event('plug')));
    await page.getByText('A microphone is connected now: you can go on.').waitFor();
    await page.getByRole('button', { name: 'Say it again' }).click();
    await page.getByText('Recording').waitFor();
    expect(await page.getByText('The microphone was unplugged').count()).toBe(0);
  },
);

it.skipIf(microphone === null)('what waits when the conversation ends stays with it, and is heard later', async () => {
  const page = await open();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('list', { name: 'Conversation' }).waitFor();
  const redo = page.getByRole('button', { name: 'Say it again' });
  if ((await redo.count()) > 0) await redo.click();
  else await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await page.getByText('Recording').waitFor();
  await page.waitForTimeout(4_000);
  scene.server.says.transcript.length = 0;
  failing();
  await stopSpeaking(page);
  await page.getByText(NOT_WRITTEN).waitFor();
  await page.getByRole('button', { name: 'End the conversation …' }).click();
  await page.getByRole('button', { name: 'Finish and see the result' }).click();
  await page.getByRole('heading', { name: 'Kept, but not sent' }).waitFor();
  await page.getByRole('button', { name: 'Play your voice' }).waitFor();
  await expectAccessible(page);
  scene.server.says.transcript.length = 0;
  scene.server.says.transcript.push(saying('It was the engine.'));
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('It was the engine.').waitFor();
});

/** Runs in the page: tells the page’s own microphone that it is gone, and the list of devices what is connected. */
function listenForUnplugging(): void {
  const media = navigator.mediaDevices;
  const getUserMedia = media.getUserMedia.bind(media);
  const enumerateDevices = media.enumerateDevices.bind(media);
  let isConnected = true;
  let last: MediaStreamTrack | undefined;
  media.getUserMedia = async (wish) => {
    const stream = await getUserMedia(wish);
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
