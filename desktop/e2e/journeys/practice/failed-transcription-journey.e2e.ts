/** Failing spoken turns in a real browser: no transcription, a reload, an unplugged microphone. */
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { beginByVoice } from '../../steps/typed-session.ts';
import { setUpLaptop } from '../../app/set-up-laptop.ts';
import { answerWithJson, answerWith, startModelCoachServer } from '../../servers/model-coach-server.ts';
import { turnMicrophoneInput } from '../../steps/spoken-turn.ts';
import { speakFor, speakTurn, stopSpeaking } from '../../steps/turns.ts';
import { simulateUnplugging } from '../../steps/simulate-unplugging.ts';

const SAID = 'I am sorry, the delivery will be two weeks late.';
const NOT_TRANSCRIBED = 'Parley couldn’t make out the words.';

const microphone = turnMicrophoneInput();
if (microphone === null) console.warn('skipped: synthesised speech requires espeak-ng (Debian: espeak-ng)');

const fixture = setUpLaptop(startModelCoachServer);
const open = (): Promise<Page> => fixture.laptop.open(microphone === null ? {} : { microphone });

/** Fails every retry of the server. */
const failTranscription = (): void =>
  void fixture.server.cannedResponses.transcript.push(
    ...Array.from({ length: 8 }, () => ({ does: 'reject', status: 500 }) as const),
  );

it.skipIf(microphone === null)(
  'a turn that failed to be transcribed survives a reload and a retry',
  { tags: ['slow'] },
  async () => {
    const page = await open();
    fixture.server.cannedResponses.reply.push(
      answerWith('Good morning, this is Grace. Do you have news about our order?'),
    );
    await beginByVoice(page);
    failTranscription();
    await speakTurn(page, 4_000);
    await page.getByText(NOT_TRANSCRIBED).waitFor();
    await expectAccessible(page);

    await page.reload();
    await page.getByText(NOT_TRANSCRIBED).waitFor();
    // Choosing to type must not lose the waiting turn.
    await page.getByRole('button', { name: 'Write instead' }).click();
    await page.getByLabel('Write your answer').waitFor();
    await page.getByRole('button', { name: 'Back to what you said' }).click();
    fixture.server.cannedResponses.transcript.length = 0;
    fixture.server.cannedResponses.transcript.push(answerWith(SAID));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('We heard').waitFor();
    fixture.server.cannedResponses.reply.push(answerWith('Two weeks? What happened?'));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Two weeks? What happened?').waitFor();
  },
);

it.skipIf(microphone === null)(
  'a reload during a recording loses neither audio nor hints',
  { tags: ['slow'] },
  async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Continue' }).click();
    const hint = answerWithJson({ replies: [{ keywords: 'the supplier', sentence: 'Our supplier has a problem.' }] });
    fixture.server.cannedResponses.hint.push(hint, hint);
    await page.getByRole('button', { name: 'Give me a hint' }).click();
    await page.getByText('You could talk about').waitFor();
    await speakFor(page, 3_500);
    // The learner reads the hint while speaking.
    expect(await page.getByText('the supplier').isVisible()).toBe(true);
    fixture.server.cannedResponses.transcript.push(answerWith(SAID));
    await page.reload();
    await page.getByText('Your recording was interrupted, but what you said until then is kept').waitFor();
    await page.getByText('We heard').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Write instead' }).click();
    await page.getByText('the supplier').waitFor();
    await page.getByRole('button', { name: 'Back to what you said' }).click();
    fixture.server.cannedResponses.reply.push(answerWith('And when will the parts be here?'));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('And when will the parts be here?').waitFor();
  },
);

it.skipIf(microphone === null)(
  'an unplugged microphone is reported at once and the audio kept',
  { tags: ['slow'] },
  async () => {
    const page = await open();
    await page.addInitScript(simulateUnplugging);
    await page.reload();
    await page.getByRole('button', { name: 'Continue' }).click();
    await speakFor(page, 3_500);
    fixture.server.cannedResponses.transcript.push({ does: 'answer_late', ms: 1_500, text: SAID });
    await page.evaluate(() => window.dispatchEvent(new Event('unplug')));
    // The notice appears before the transcript arrives.
    await page.getByText('The microphone was unplugged. What you said until then is kept. Plug it in').waitFor();
    expect(await page.getByText('We heard').count()).toBe(0);
    await page.getByText('We heard').waitFor();
    await page.getByText('The microphone was unplugged. What you said until then is kept. Plug it in').waitFor();
    await expectAccessible(page);
    await page.evaluate(() => window.dispatchEvent(new Event('plug')));
    await page.getByText('A microphone is connected again, so you can go on.').waitFor();
    await page.getByRole('button', { name: 'Say it again' }).click();
    await page.getByText('Recording').waitFor();
    expect(await page.getByText('The microphone was unplugged').count()).toBe(0);
  },
);

it.skipIf(microphone === null)(
  'a waiting turn is kept at the end and transcribed later',
  { tags: ['slow'] },
  async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('list', { name: 'Conversation' }).waitFor();
    const redo = page.getByRole('button', { name: 'Say it again' });
    if ((await redo.count()) > 0) await redo.click();
    else await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await page.getByText('Recording').waitFor();
    await page.waitForTimeout(4_000);
    fixture.server.cannedResponses.transcript.length = 0;
    failTranscription();
    await stopSpeaking(page);
    await page.getByText(NOT_TRANSCRIBED).waitFor();
    await page.getByRole('button', { name: 'End the conversation…' }).click();
    await page.getByRole('button', { name: 'Finish and see the result' }).click();
    await page.getByRole('heading', { name: 'Kept, but not sent' }).waitFor();
    await page.getByRole('button', { name: 'Play your voice' }).waitFor();
    await expectAccessible(page);
    fixture.server.cannedResponses.transcript.length = 0;
    fixture.server.cannedResponses.transcript.push(answerWith('It was the engine.'));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('It was the engine.').waitFor();
  },
);

it.skipIf(microphone === null)('a typed draft survives spoken turns', { tags: ['slow'] }, async () => {
  const { cannedResponses } = fixture.server;
  const page = await open();
  cannedResponses.transcript.length = 0;
  cannedResponses.reply.push(answerWith('Good morning. Where is my order?'));
  await beginByVoice(page);
  await page.getByRole('button', { name: 'Write instead' }).click();
  await page.getByLabel('Write your answer').fill('We could send');
  await page.getByRole('button', { name: 'Speak instead' }).click();
  for (const reply of ['Two weeks? What happened?', 'And when will they be here?']) {
    cannedResponses.transcript.push(answerWith(SAID));
    await speakFor(page, 3_500);
    // The other coach would speak into the recording.
    expect(await page.getByRole('button', { name: 'Continue with guidance' }).isDisabled()).toBe(true);
    await stopSpeaking(page);
    await page.getByText('We heard').waitFor();
    cannedResponses.reply.push(answerWith(reply));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(reply).waitFor();
    // The draft waits for the learner, who goes on speaking.
    await page.getByRole('button', { name: 'Speak', exact: true }).waitFor();
  }
  await page.getByRole('button', { name: 'Write instead' }).click();
  expect(await page.getByLabel('Write your answer').inputValue()).toBe('We could send');
});
