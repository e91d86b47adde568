/**
 * Captures every screen that a learner sees without a server, in one language, from the first question to the result of
 * a practice.
 */
import { heldOutRecording, padWav, samplesOf, synthesise } from '@parley/test-kit';
import type { Page } from 'playwright';
import { createDevice, type Device } from '../app/device.ts';
import { type Camera, translateInto } from './camera.ts';

const PRACTICE = 'Give a stand-up update';
const QUESTION = 'Good morning. What did you do yesterday?';
const ANSWERS = [
  "Today I'll call the client.",
  'Yes. My computer is very slow.',
  'Can you help me, please?',
  'Tomorrow, please.',
];
const COURSE = 'First steps at work';
/** The word begins with a w instead of a v, so it is one to review. */
const SAID_BADLY = 'We walked around the walue.';
const MEANT = 'We walked around the value.';
const SHADOWED = 'We will deliver the new parts to your office on Tuesday.';

/** Screens that need no practice, by the names of their pictures. */
const NEW_SCREENS: Readonly<Record<string, string>> = {
  'welcome-1': '/welcome?step=1',
  'welcome-2': '/welcome?step=2',
  'welcome-3': '/welcome?step=3',
  'welcome-4': '/welcome?step=4',
  'welcome-5': '/welcome?step=5',
  'today-new': '/',
  'review-new': '/review',
  'progress-new': '/progress',
  'history-new': '/history',
  practise: '/practise',
  courses: '/courses',
  drills: '/drills',
  shadow: '/shadow',
  plan: '/plan',
  settings: '/settings',
  help: '/help',
  'blog-without-server': '/blog',
  'sign-in-without-server': '/sign-in',
  'not-found': '/no-such-screen',
};

/** Screens that show what was practised. */
const USED_SCREENS: Readonly<Record<string, string>> = {
  today: '/',
  review: '/review',
  progress: '/progress',
  history: '/history',
  'coach-guided': '/coach',
};

/** So that pictures from two days differ only where the product does. */
const STARTS_AT = Date.parse('2026-05-13T09:30:00Z');

export async function takeLearnerScreenshots(camera: Camera, language: string): Promise<void> {
  const learner = heldOutRecording({ words: 8, skip: 7 });
  const reply = synthesise('I finished the report.');
  const badReply = synthesise(SAID_BADLY);
  const shadowed = synthesise(SHADOWED);
  if (learner === null || reply === null || badReply === null || shadowed === null)
    throw new Error('The screenshots require speechocean762 (PARLEY_CORPUS_DIR), opusdec (opus-tools) and espeak-ng.');
  const t = translateInto(language);
  const offsetMs = STARTS_AT - Date.now();
  const clock = { now: () => new Date(Date.now() + offsetMs) };
  const lengthMs = samplesOf(learner.wav).length / 16;
  const take = (page: Page, name: string): Promise<void> => camera.take(page, name);

  const open = async (on: Device, microphone?: Buffer): Promise<Page> => {
    const page = await on.open({ locale: language, ...(microphone === undefined ? {} : { microphone }) });
    await page.setViewportSize(camera.size);
    await page.addInitScript(shiftClock, offsetMs);
    await page.reload();
    await page.locator('h1').first().waitFor();
    return page;
  };
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name: t(name), exact: true }).click();
  const record = async (page: Page, ms: number): Promise<void> => {
    await press(page, 'Speak');
    await page.locator('button[data-state=recording]').waitFor();
    await page.waitForTimeout(ms);
  };
  const takeScreens = async (page: Page, screens: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, path] of Object.entries(screens)) {
      await goTo(page, path);
      await take(page, name);
    }
  };
  const openPractice = async (page: Page): Promise<void> => {
    await goTo(page, '/practise');
    await page.getByRole('link', { name: new RegExp(PRACTICE) }).click();
    await page.getByRole('heading', { name: PRACTICE }).waitFor();
  };

  await takeFirstChoice();
  const device = await createDevice({ clock });
  try {
    await device.start(null);
    let page = await open(device, padWav(learner.wav, { beforeMs: 600, afterMs: 600 }));
    await takeScreens(page, NEW_SCREENS);
    await takeDialogs(page);
    await goTo(page, '/courses');
    await page.getByRole('link', { name: new RegExp(COURSE) }).click();
    await press(page, 'Join this course');
    await page.getByRole('button', { name: t('Leave this course') }).waitFor();
    await take(page, 'course');

    await openPractice(page);
    await take(page, 'briefing');
    await page.getByText(t('Easy'), { exact: true }).click();
    await press(page, 'Start');
    await press(page, 'Record 3 seconds');
    await page.getByRole('button', { name: t('Listen to it') }).waitFor();
    await take(page, 'microphone-check');
    await press(page, 'Continue');
    await page.getByText(QUESTION).waitFor();
    await take(page, 'conversation');

    page = await open(device, padWav(reply, { beforeMs: 700, afterMs: 2_500 }));
    await press(page, 'Continue');
    await record(page, 1_500);
    await take(page, 'recording');
    await page.waitForTimeout(1_500);
    await press(page, 'Stop and check what we heard');
    await page.getByText(t('We heard')).waitFor();
    await press(page, 'Show the details');
    await take(page, 'heard');
    await sendTurn(page, () => press(page, 'Send'));

    page = await open(device, padWav(badReply, { beforeMs: 700, afterMs: 6_000 }));
    await press(page, 'Continue');
    await record(page, 4_500);
    await press(page, 'Stop and check what we heard');
    await writeWhatWasSaid(page, MEANT);
    await sendTurn(page, () => press(page, 'Send'));
    await press(page, 'Give me a hint');
    await take(page, 'hint');
    await press(page, 'Write instead');
    for (const answer of ANSWERS) {
      const field = page.getByLabel(t('Write your answer'));
      await field.fill(answer);
      await sendTurn(page, () => field.press('Enter'));
    }
    await press(page, 'See your result');
    await takeTabs(page, 'result');

    await takeDrill(device);
    await takeShadowing(device);
    page = await open(device);
    await takeScreens(page, USED_SCREENS);
    await goTo(page, '/review');
    await page
      .getByRole('region', { name: t('Due today') })
      .getByRole('button')
      .first()
      .click();
    await page.getByRole('button', { name: t('Leave') }).waitFor();
    await take(page, 'review-word');
  } finally {
    await device.remove();
  }

  async function takeFirstChoice(): Promise<void> {
    const device = await createDevice({ clock, isNew: true, defaultServerUrl: 'https://school.example' });
    try {
      await device.start(null);
      await take(await open(device), 'first-choice');
    } finally {
      await device.remove();
    }
  }

  async function takeDialogs(page: Page): Promise<void> {
    await goTo(page, '/help');
    await press(page, 'Write a report…');
    await page.getByRole('dialog').waitFor();
    await take(page, 'report');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    await take(page, 'command-palette');
    await page.keyboard.press('Escape');
  }

  /** The draft transcript is corrected; if there is none, the words are typed. */
  async function writeWhatWasSaid(page: Page, text: string): Promise<void> {
    const toCorrect = page.getByRole('button', { name: t('Correct the words') });
    const field = page.getByLabel(t('Or write what you said')).or(page.getByLabel(t('Write what you said')));
    await field.or(toCorrect).waitFor();
    await take(page, 'heard-uncertain');
    if (await toCorrect.isVisible()) await toCorrect.click();
    await field.fill(text);
    await press(page, 'Score this');
    await page.getByText(t('We heard')).waitFor();
  }

  async function sendTurn(page: Page, send: () => Promise<void>): Promise<void> {
    const turns = page.getByRole('list', { name: t('Conversation') }).getByRole('listitem');
    const before = await turns.count();
    await send();
    await turns.nth(before + 1).waitFor();
  }

  async function takeTabs(page: Page, name: string): Promise<void> {
    await page.getByRole('tab').first().waitFor();
    await take(page, name);
    const tabs = page.getByRole('tab');
    for (let index = 1; index < (await tabs.count()); index += 1) {
      await tabs.nth(index).click();
      await take(page, `${name}-${index + 1}`);
    }
  }

  async function takeDrill(on: Device): Promise<void> {
    const { wav, text } = learner ?? { wav: Buffer.alloc(0), text: '' };
    const page = await open(on, padWav(wav, { beforeMs: 700, afterMs: 4_000 }));
    await goTo(page, `/drills/say?text=${encodeURIComponent(JSON.stringify(text))}`);
    await record(page, 700 + lengthMs * 0.7);
    await take(page, 'drill-speaking');
    await page.waitForTimeout(2_500);
    await press(page, 'Stop and see your score');
    await waitForScore(page);
    await take(page, 'drill-scored');
  }

  async function takeShadowing(on: Device): Promise<void> {
    const page = await open(on, padWav(shadowed ?? Buffer.alloc(0), { beforeMs: 700, afterMs: 6_000 }));
    await goTo(page, `/shadow?text=${encodeURIComponent(JSON.stringify(SHADOWED))}`);
    await record(page, 5_000);
    await press(page, 'Stop and compare');
    await waitForScore(page);
    await take(page, 'shadow-compared');
  }
}

/** A busy machine needs its time. */
const waitForScore = (page: Page): Promise<void> =>
  page.locator('button[data-state=idle]').waitFor({ timeout: 60_000 });

/** Opens a screen, and waits until it has replaced the previous one. */
async function goTo(page: Page, path: string): Promise<void> {
  const before = await page.evaluate((hash) => {
    if ((location.hash || '#/') === `#${hash}`) return null;
    const heading = document.querySelector('h1');
    heading?.setAttribute('data-is-old', '');
    location.hash = hash;
    return heading?.textContent ?? '';
  }, path);
  if (before === null) return;
  await page.waitForFunction((text) => {
    const heading = document.querySelector('h1');
    return heading !== null && (!heading.hasAttribute('data-is-old') || heading.textContent !== text);
  }, before);
}

/** Runs in the window, before anything else. */
function shiftClock(offsetMs: number): void {
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [RealDate.now() + offsetMs] : args, newTarget) as Date,
    get: (target, key) => (key === 'now' ? () => RealDate.now() + offsetMs : Reflect.get(target, key)),
  });
}
