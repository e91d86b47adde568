import { PracticeId } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { aClock, openHost, type OpenHost } from '../test-kit/open-host.ts';
import { inDatabase } from '../test-kit/read-database.ts';
import {
  aCatalogue,
  aDialogue,
  aPractice,
  COACH,
  LATE_DELIVERY,
  OTHER_COACH,
  testId,
} from '../test-kit/test-catalogue.ts';

const MAYAS_OWN = PracticeId.parse(testId(14));
const UNSCRIPTED = PracticeId.parse(testId(15));

/** Two practices that any coach can play, one of which has no dialogue, and a third whose lines name Maya. */
async function threePractices() {
  const catalogue = await aCatalogue();
  const line = 'Hello, Maya here.';
  const [first, ...nodes] = aDialogue().nodes;
  if (first === undefined) throw new Error('no node');
  const own = {
    ...aPractice(MAYAS_OWN, 'Maya’s own', 'ready'),
    dialogue: { ...aDialogue(), nodes: [{ ...first, say: { easy: line, intermediate: line, hard: line } }, ...nodes] },
  };
  const unscripted = { ...aPractice(UNSCRIPTED, 'Ask for help', 'ready'), dialogue: null };
  const [open, ...others] = catalogue.practices;
  if (open === undefined) throw new Error('no practice');
  return {
    ...catalogue,
    practices: [{ ...open, scenario: 'Maya calls about Maya’s parcel.' }, ...others, own, unscripted],
  };
}

const start = ({ ask }: OpenHost, practiceId: PracticeId) =>
  ask.practice.start({ practiceId, difficulty: 'easy', communicationStyle: 'text' });

describe('the coach whom the learner chose', () => {
  it('plays, with their name in the scene, unless the practice casts its own', async () => {
    const clock = aClock();
    const device = await openHost({ loadCatalogue: threePractices, clock });
    const names = async () =>
      (await device.ask.catalogue.practices())
        .filter(({ state }) => state === 'ready')
        .map(({ title, coachName }) => [title, coachName]);
    expect(await names()).toEqual([
      ['A late delivery', 'Maya'],
      ['Ask for help', 'Maya'],
      ['Maya’s own', 'Maya'],
    ]);
    await device.ask.settings.updateProfile({ agentId: OTHER_COACH });
    expect(await names()).toEqual([
      ['A late delivery', 'Tom'],
      ['Ask for help', 'Tom'],
      ['Maya’s own', 'Maya'],
    ]);
    expect(await device.ask.catalogue.briefing({ practiceId: LATE_DELIVERY })).toMatchObject({
      scenario: 'Tom calls about Tom’s parcel.',
      coach: { agentId: OTHER_COACH },
    });
    expect(await start(device, LATE_DELIVERY)).toMatchObject({
      scenario: 'Tom calls about Tom’s parcel.',
      coach: { agentId: OTHER_COACH },
    });
    expect(await start(device, MAYAS_OWN)).toMatchObject({ coach: { agentId: COACH } });

    clock.pass(86_400_000);
    await device.ask.settings.updateProfile({ agentId: COACH });
    expect(await device.ask.coach.history()).toMatchObject([
      { name: 'Maya', until: null },
      { name: 'Tom', until: clock.now() },
    ]);
    await device.host.close();
  });
});

describe('another level', () => {
  it('is suggested after three high scores, and again only after three more', async () => {
    const clock = aClock();
    const device = await openHost({ clock });
    await device.ask.settings.updateProfile({ englishLevel: 'beginner' });
    const suggestion = async () => (await device.ask.today.overview()).levelSuggestion;
    const score = (number: number): void =>
      inDatabase(device.dataDir, (sqlite) => {
        const at = clock.now().getTime() + number;
        sqlite
          .prepare(
            `INSERT INTO practice_history (id, practice_id, user_id, agent_id, created_at, updated_at, sync_version, score,
               entire_conversation, completed_objectives, duration, communication_style, status, difficulty)
             SELECT ?, ?, user_id, ?, ?, ?, 0, 90, '[]', '[]', 300, 'audio', 'completed', 'easy' FROM sync_state`,
          )
          .run(testId(400 + number), LATE_DELIVERY, COACH, at, at);
      });
    score(1);
    score(2);
    expect(await suggestion()).toBeNull();
    score(3);
    const suggested = { from: 'beginner', to: 'intermediate', newestSessionId: testId(403) } as const;
    expect(await suggestion()).toEqual(suggested);
    const { newestSessionId = null } = (await suggestion()) ?? {};
    await device.ask.settings.updateDevice({ levelAnsweredAt: newestSessionId });
    expect(await suggestion()).toBeNull();
    for (const number of [4, 5, 6]) score(number);
    expect(await suggestion()).toMatchObject({ to: 'intermediate', newestSessionId: testId(406) });
    await device.host.close();
  });
});
