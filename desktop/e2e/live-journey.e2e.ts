/** A live coach in a real browser: words as they come, a failure that loses nothing, the judgement, and what is remembered and forgotten. */
import { expect, it } from 'vitest';
import { expectAccessible } from './support/accessible.ts';
import { beginByVoice, chooseWriting, coachMarks, holdLive, REVIEW, write } from './support/hold-live.ts';
import { setUpLaptop } from './support/set-up-laptop.ts';
import { saying, startLiveServer } from './support/live-server.ts';

/** The twin speaks no faster than a person does. */
const LONG = { timeout: 20_000 };

const scene = setUpLaptop(startLiveServer);

it('a live conversation is held, judged, remembered, and forgotten when the learner says so', async () => {
  const page = await scene.laptop.open();
  const seen: string[] = [];
  await holdLive(page, scene.server, async (name) => {
    seen.push(name);
    await expectAccessible(page);
  });
  expect(seen.at(-1)).toBe('coach');
  await page.getByRole('button', { name: `Forget: ${REVIEW.remember[0]}` }).click();
  await page.getByText('Nothing yet').waitFor();
});

it('a live coach is heard before its line is whole, and is silent upstream too as soon as somebody stops it', async () => {
  const { says, twin } = scene.server;
  const spoken = () => twin.calls.filter(({ path }) => path.endsWith('/audio/speech'));
  const page = await scene.laptop.open();
  says.reply.push(
    saying('Good morning, this is Grace. I was told that you have news about our order, and I hope that it is good.'),
  );
  await beginByVoice(page);
  await page.getByRole('button', { name: 'Write instead' }).click();
  const { soundMs, lineMs } = await coachMarks(page);
  expect(soundMs).toBeLessThan(lineMs);
  console.info(`heard ${Math.round(lineMs - soundMs)} ms before the line was whole`);
  // Each piece is asked of the voice once, and to its end.
  await expect
    .poll(() => spoken().map(({ body, state }) => `${String(body['input'])} ${state}`), LONG)
    .toEqual([
      'Good morning, answered',
      'this is Grace. answered',
      'I was told that you have news about our order, and I hope that it is good. answered',
    ]);

  says.reply.push(saying('Two weeks? That is hard for us. What happened, and what can you do about it?'));
  says.speech.push({ does: 'fall_silent', afterEvents: 3 });
  await write(page, 'Yes. I am sorry, the delivery will be two weeks late.');
  await expect.poll(() => spoken().length, LONG).toBeGreaterThanOrEqual(4);
  await page.getByRole('button', { name: 'Stop', exact: true }).last().click();
  await expect.poll(() => spoken()[3]?.state).toBe('hung_up');
  await page.getByText('What happened, and what can you do about it?').waitFor();
  expect(spoken().every(({ state }) => state !== 'open')).toBe(true);

  await page.getByRole('button', { name: 'Hear Grace again' }).last().click();
  await expect.poll(() => spoken().filter(({ state }) => state === 'answered').length, LONG).toBe(6);
});

it('a second window is told where the conversation is, and takes it over when it is asked to', async () => {
  const { says, twin } = scene.server;
  const page = await scene.laptop.open();
  says.reply.push(saying('Good morning. Where is my order?'));
  await chooseWriting(page);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByLabel('Write your answer').waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByText('Where is my order?').waitFor();

  const answer =
    'Two weeks? That is hard for us, because our clients wait for these parts. What happened, and what can you do about it now?';
  // So long the model thinks that a window which was busy notices meanwhile.
  const late = { does: 'answer_late', ms: 8_000, text: answer } as const;
  says.reply.push(late, late);
  await write(page, 'Yes. I am sorry, the delivery will be two weeks late.');
  const asked = () => twin.calls.filter(({ body }) => JSON.stringify(body).includes('Where is my order?')).length;
  await other.getByText('This conversation is open in another window.').waitFor();
  await expectAccessible(other);
  const before = asked();
  await other.getByRole('button', { name: 'Take it over' }).click();
  await page.getByText('This conversation is open in another window.').waitFor();
  await other.getByText('what can you do about it now?').waitFor();
  await page.getByText('what can you do about it now?').waitFor();
  expect(asked()).toBeGreaterThan(before);
});
