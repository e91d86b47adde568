/**
 * In a turn-based practice, Space interrupts a model coach in mid-reply: the voice stops, the heard part stays, and the
 * learner's turn records at once.
 */
import { expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { setUpLaptop } from '../../app/set-up-laptop.ts';
import { answerWith, startModelCoachServer } from '../../servers/model-coach-server.ts';
import { beginByVoice } from '../../steps/typed-session.ts';

const fixture = setUpLaptop(startModelCoachServer);

const SENTENCES = [
  'Good morning, this is Grace.',
  'I was told that you have news about our order, and I hope that it is good.',
  'We have waited since last week, our own clients call me every day, and I have no answer for them.',
];

it('Space interrupts the coach and begins to record', async () => {
  const { cannedResponses, openAiFake } = fixture.server;
  const page = await fixture.laptop.open();
  cannedResponses.reply.push(answerWith(SENTENCES.join(' ')));
  await beginByVoice(page);
  await page.getByText('Grace is speaking. Press Space to interrupt.').waitFor();
  await page.getByText('Good morning, this is Grace.').first().waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Space');

  await page.getByRole('button', { name: 'Stop and check what we heard' }).waitFor();
  const coachTurns = page.getByRole('list', { name: 'Conversation' }).getByRole('listitem');
  const said = await coachTurns.first().innerText();
  expect(said).toContain('Good morning, this is Grace.');
  expect(said).toContain('…');
  expect(said).not.toContain('I have no answer for them.');
  const spoken = () => openAiFake.calls.filter(({ path }) => path.endsWith('/audio/speech'));
  const asked = spoken().length;
  await expect.poll(() => spoken().every(({ state }) => state !== 'open')).toBe(true);
  expect(spoken()).toHaveLength(asked);

  // The reply is the same after the window has been reopened.
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Stop and check what we heard' }).waitFor({ state: 'detached' });
  await page.reload();
  await coachTurns.first().waitFor();
  expect(await coachTurns.first().innerText()).toContain('…');
});
