/** A model coach in a real browser: streamed replies, a failure without loss, feedback and memory. */
import { expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { beginByVoice, chooseWriting, readCoachMarks, practiseInWriting, write } from '../../steps/typed-session.ts';
import { setUpLaptop } from '../../app/set-up-laptop.ts';
import { answerWith, startModelCoachServer } from '../../servers/model-coach-server.ts';

/** The fake speaks at the speed of a person. */
const SPEECH_TIMEOUT = { timeout: 20_000 };

const fixture = setUpLaptop(startModelCoachServer);

it('a session with a model coach is reviewed, remembered and forgotten', { tags: ['slow'] }, async () => {
  const page = await fixture.laptop.open();
  const seen: string[] = [];
  await practiseInWriting(page, fixture.server, async (name) => {
    seen.push(name);
    await expectAccessible(page);
  });
  expect(seen.at(-1)).toBe('coach');
  // One after the other, before the server can have answered the first one.
  await page.getByRole('button', { name: /^Delete “The learner/ }).evaluateAll(async (buttons: HTMLElement[]) => {
    for (const button of buttons) {
      button.click();
      await new Promise((resolve) => setTimeout(resolve));
    }
  });
  await page.getByText('Nothing yet').waitFor();
});

it('a reply is spoken while it streams, and stopping it aborts the synthesis', { tags: ['slow'] }, async () => {
  const { cannedResponses, openAiFake } = fixture.server;
  const spoken = () => openAiFake.calls.filter(({ path }) => path.endsWith('/audio/speech'));
  const page = await fixture.laptop.open();
  cannedResponses.reply.push(
    answerWith(
      'Good morning, this is Grace. I was told that you have news about our order, and I hope that it is good.',
    ),
  );
  await beginByVoice(page);
  await page.getByRole('button', { name: 'Write instead' }).click();
  const { soundMs, lineMs } = await readCoachMarks(page);
  expect(soundMs).toBeLessThan(lineMs);
  console.info(`first sound ${Math.round(lineMs - soundMs)} ms before the text was complete`);
  // Each segment is synthesised once and completely.
  await expect
    .poll(() => spoken().map(({ body, state }) => `${String(body['input'])} ${state}`), SPEECH_TIMEOUT)
    .toEqual([
      'Good morning, answered',
      'this is Grace. answered',
      'I was told that you have news about our order, and I hope that it is good. answered',
    ]);

  cannedResponses.reply.push(
    answerWith('Two weeks? That is hard for us. What happened, and what can you do about it?'),
  );
  cannedResponses.speech.push({ does: 'fall_silent', afterEvents: 3 });
  await write(page, 'Yes. I am sorry, the delivery will be two weeks late.');
  await expect.poll(() => spoken().length, SPEECH_TIMEOUT).toBeGreaterThanOrEqual(4);
  await page.getByRole('button', { name: 'Stop', exact: true }).last().click();
  await expect.poll(() => spoken()[3]?.state).toBe('hung_up');
  await page.getByText('What happened, and what can you do about it?').waitFor();
  expect(spoken().every(({ state }) => state !== 'open')).toBe(true);

  await page.getByRole('button', { name: 'Hear Grace again' }).last().click();
  await expect.poll(() => spoken().filter(({ state }) => state === 'answered').length, SPEECH_TIMEOUT).toBe(6);
});

it('a second window can take over the session', { tags: ['slow'] }, async () => {
  const { cannedResponses, openAiFake } = fixture.server;
  const page = await fixture.laptop.open();
  cannedResponses.reply.push(answerWith('Good morning. Where is my order?'));
  await chooseWriting(page);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByLabel('Write your answer').waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByText('Where is my order?').waitFor();

  const answer =
    'Two weeks? That is hard for us, because our clients wait for these parts. What happened, and what can you do about it now?';
  // The first window is still waiting for its reply when the second one has been checked and takes over.
  cannedResponses.reply.push(
    { does: 'answer_late', ms: 60_000, text: answer },
    { does: 'answer_late', ms: 1_000, text: answer },
  );
  await write(page, 'Yes. I am sorry, the delivery will be two weeks late.');
  const asked = () => openAiFake.calls.filter(({ body }) => JSON.stringify(body).includes('Where is my order?')).length;
  await other.getByText('This conversation is open in another window.').waitFor();
  await expectAccessible(other);
  const before = asked();
  await other.getByRole('button', { name: 'Move it here' }).click();
  await page.getByText('This conversation is open in another window.').waitFor();
  await other.getByText('what can you do about it now?').waitFor();
  await page.getByText('what can you do about it now?').waitFor();
  expect(asked()).toBeGreaterThan(before);
});
