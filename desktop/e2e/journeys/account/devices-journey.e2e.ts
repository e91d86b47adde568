/** Sessions on a real computer, in a real browser with several fake devices: a device is unplugged, the computer sleeps. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { setUpLaptop } from '../../app/set-up-laptop.ts';
import { answerWith, startModelCoachServer } from '../../servers/model-coach-server.ts';
import { turnMicrophoneInput } from '../../steps/spoken-turn.ts';
import { beginByVoice } from '../../steps/typed-session.ts';

const SAID = 'I am sorry, the delivery will be two weeks late.';
const GREETING = 'Good morning, this is Grace. Do you have news about our order?';
const WAV_BYTES_PER_MS = 32;

const microphone = turnMicrophoneInput();
if (microphone === null) console.warn('skipped: synthesised speech requires espeak-ng (Debian: espeak-ng)');

const fixture = setUpLaptop(startModelCoachServer);

async function openWithPlugs(): Promise<Page> {
  const page = await fixture.laptop.open({ hasLoudspeakers: true, ...(microphone === null ? {} : { microphone }) });
  await page.addInitScript(simulatePlugs);
  await page.reload();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  return page;
}

const unplug = (page: Page, label: string): Promise<void> => page.evaluate((name) => window.unplug(name), label);
const plug = (page: Page, label: string): Promise<void> => page.evaluate((name) => window.plug(name), label);
const lastSink = (page: Page): Promise<string | undefined> => page.evaluate(() => window.sinkLabels.at(-1));

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(label) }).click();
  await page.getByRole('option', { name: option }).click();
}

it('sound plays on the chosen device, and on the default while that is unplugged', { tags: ['slow'] }, async () => {
  const page = await openWithPlugs();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await choose(page, 'Play sound on', 'Fake Audio Output 1');
  await expectAccessible(page);
  await page.reload();
  fixture.server.cannedResponses.reply.push(answerWith(GREETING));
  await beginByVoice(page);
  await page.getByText('Do you have news about our order?').waitFor();
  await expect.poll(() => lastSink(page)).toBe('Fake Audio Output 1');

  await unplug(page, 'Fake Audio Output 1');
  await page.getByText('The speaker or headset you chose isn’t connected').waitFor();
  await expectAccessible(page);
  await plug(page, 'Fake Audio Output 1');
  await expect.poll(() => page.getByText('The speaker or headset you chose isn’t connected').count()).toBe(0);
});

it.skipIf(microphone === null)(
  'a microphone unplugged in mid-turn is replaced, and the turn is kept whole',
  { tags: ['slow'] },
  async () => {
    const page = await openWithPlugs();
    await page.evaluate(() => {
      location.hash = '#/microphone';
    });
    await choose(page, 'Microphone', 'Fake Audio Input 1');
    await page.getByRole('button', { name: 'Continue without a check' }).click();
    await page.getByRole('link', { name: 'Today', exact: true }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await page.getByText('Recording').waitFor();
    await page.waitForTimeout(3_000);
    await unplug(page, 'Fake Audio Input 1');
    await page
      .getByText('Your microphone was unplugged, so Parley is listening with “Fake Default Audio Input”.')
      .waitFor();
    await expectAccessible(page);
    await page.waitForTimeout(3_000);
    fixture.server.cannedResponses.transcript.push(answerWith(SAID));
    await page.getByRole('button', { name: 'Stop and check what we heard' }).click();
    await page.getByText(SAID).first().waitFor();

    const folder = join(fixture.laptop.dataDir, 'recordings');
    const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
    // Both halves, minus the time until a microphone is open.
    expect(Math.max(...sizes) / WAV_BYTES_PER_MS).toBeGreaterThan(5_000);
  },
);

it.skipIf(microphone === null)(
  'recording follows the default microphone of the system in mid-turn',
  { tags: ['slow'] },
  async () => {
    const page = await openWithPlugs();
    await page.evaluate(() => {
      window.makeDefault('Fake Audio Input 2');
      location.hash = '#/microphone';
    });
    await choose(page, 'Microphone', 'System default');
    await page.getByRole('button', { name: 'Continue without a check' }).click();
    await page.getByRole('link', { name: 'Today', exact: true }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: /^(Say it again|Speak)$/ }).click();
    await page.getByText('Recording').waitFor();
    await page.waitForTimeout(2_000);
    await page.evaluate(() => window.makeDefault('Fake Audio Input 1'));
    await page
      .getByText(
        'Your computer now uses another microphone, so Parley is listening with “Default - Fake Audio Input 1”.',
      )
      .waitFor();
    await expectAccessible(page);
    await page.waitForTimeout(2_000);
    fixture.server.cannedResponses.transcript.push(answerWith(SAID));
    await page.getByRole('button', { name: 'Stop and check what we heard' }).click();
    await page.getByText('We heard').waitFor();
    fixture.server.cannedResponses.reply.push(answerWith('When exactly?'));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('When exactly?').waitFor();
  },
);

/** In a browser, sleep shows only as a jump of the clock. */
const sleep = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 3_600_000;
  });

it.skipIf(microphone === null)('a turn during which the computer sleeps is kept', { tags: ['slow'] }, async () => {
  const page = await openWithPlugs();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: /^(Say it again|Speak)$/ }).click();
  await page.getByText('Recording').waitFor();
  await page.waitForTimeout(4_000);
  fixture.server.cannedResponses.transcript.push(answerWith(SAID));
  await sleep(page);
  await page.getByText('Your computer went to sleep, so the recording stopped.').waitFor();
  await page.getByText('We heard').waitFor();
  await expectAccessible(page);
  fixture.server.cannedResponses.reply.push(answerWith('And when will the parts be here?'));
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('And when will the parts be here?').waitFor();
});

it.skipIf(microphone === null)(
  'a call during which the computer sleeps ends, can be called again, and is scored',
  { tags: ['slow'] },
  async () => {
    const page = await openWithPlugs();
    await page.getByRole('button', { name: 'Continue' }).click();
    const greet = (text: string): void => fixture.server.realtime.script.queueReplies({ text, audioMs: 1_500 });
    greet('Hello again, this is Grace.');
    await page.getByRole('button', { name: 'Switch to a call' }).click();
    await page.getByText('Hello again, this is Grace.').waitFor();
    await sleep(page);
    await page.getByText('Your computer went to sleep, so the call ended. Everything you said is kept.').waitFor();
    await expectAccessible(page);
    greet('Welcome back.');
    await page.getByRole('button', { name: 'Call again' }).click();
    await page.getByText('Welcome back.').waitFor();
    await sleep(page);
    await page.getByRole('button', { name: 'See your result' }).click();
    await page.getByRole('tab', { name: 'Audio' }).waitFor();
  },
);

declare global {
  interface Window {
    sinkLabels: string[];
    plug: (label: string) => void;
    unplug: (label: string) => void;
    makeDefault: (label: string) => void;
  }
}

/** Runs in the page: lets the test plug devices in and out, and records on which device each sound plays. */
function simulatePlugs(): void {
  const media = navigator.mediaDevices;
  const getUserMedia = media.getUserMedia.bind(media);
  const enumerateDevices = media.enumerateDevices.bind(media);
  const unplugged = new Set<string>();
  const tracks = new Set<MediaStreamTrack>();
  let defaultLabel: string | null = null;
  const isDefaultMicrophone = ({ kind, deviceId }: MediaDeviceInfo): boolean =>
    kind === 'audioinput' && deviceId === 'default';
  media.enumerateDevices = async () => {
    const devices = (await enumerateDevices()).filter(({ label }) => !unplugged.has(label));
    for (const device of devices)
      if (defaultLabel !== null && isDefaultMicrophone(device))
        Object.defineProperty(device, 'label', { value: `Default - ${defaultLabel}` });
    return devices;
  };
  /** Opens the device behind the default, and makes its track look like a track of the default device. */
  const openDefault = async (label: string, audio: MediaTrackConstraints): Promise<MediaStream> => {
    const device = (await enumerateDevices()).find((each) => each.kind === 'audioinput' && each.label === label);
    const stream = await getUserMedia({ audio: { ...audio, deviceId: { exact: device?.deviceId ?? '' } } });
    for (const track of stream.getAudioTracks()) {
      const settings = track.getSettings();
      Object.defineProperty(track, 'label', { value: `Default - ${label}` });
      track.getSettings = () => ({ ...settings, deviceId: 'default' });
    }
    return stream;
  };
  media.getUserMedia = async (constraints) => {
    const audio = constraints?.audio;
    const isForDefault = typeof audio === 'object' && audio.deviceId === undefined;
    const stream =
      defaultLabel !== null && isForDefault ? await openDefault(defaultLabel, audio) : await getUserMedia(constraints);
    for (const track of stream.getAudioTracks()) {
      if (unplugged.has(track.label)) throw new DOMException('unplugged', 'OverconstrainedError');
      tracks.add(track);
    }
    return stream;
  };
  window.plug = (label) => {
    unplugged.delete(label);
    media.dispatchEvent(new Event('devicechange'));
  };
  window.unplug = (label) => {
    unplugged.add(label);
    media.dispatchEvent(new Event('devicechange'));
    for (const track of tracks) {
      if (track.label !== label) continue;
      track.stop();
      track.dispatchEvent(new Event('ended'));
    }
  };
  window.makeDefault = (label) => {
    defaultLabel = label;
    media.dispatchEvent(new Event('devicechange'));
  };
  window.sinkLabels = [];
  const noteSink = async (id: string): Promise<void> => {
    const device = (await enumerateDevices()).find(({ deviceId }) => deviceId === id);
    window.sinkLabels.push(device?.label ?? 'default');
  };
  for (const output of [HTMLMediaElement.prototype, AudioContext.prototype] as {
    setSinkId: (id: string) => Promise<void>;
  }[]) {
    const setSinkId = output.setSinkId;
    output.setSinkId = async function (this: unknown, id: string): Promise<void> {
      await setSinkId.call(this, id);
      await noteSink(id);
    };
  }
}
