import { CoachId } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { COACH, OTHER_COACH, testId } from '../test-kit/test-catalogue.ts';
import { aClock, openHost } from '../test-kit/open-host.ts';
import { inDatabase, readOutbox } from '../test-kit/read-database.ts';

interface Assignment {
  agentId: string;
  isOpen: number;
}

const assignments = (dataDir: string): Assignment[] =>
  inDatabase(dataDir, (sqlite) =>
    sqlite
      .prepare<[], Assignment>(
        `SELECT agent_id AS agentId, assignment_end_date IS NULL AS isOpen FROM coach_assignment_history
         ORDER BY assignment_start_date`,
      )
      .all(),
  );

describe('settings', () => {
  it('of the device stay on the device', async () => {
    const { host, ask, dataDir } = await openHost();
    await ask.settings.updateDevice({ theme: 'dark', patienceMs: 2_000 });
    await host.close();
    const again = await openHost({ dataDir });
    expect((await again.ask.settings.read()).device).toMatchObject({
      theme: 'dark',
      patienceMs: 2_000,
      captions: true,
    });
    expect(readOutbox(dataDir)).toEqual([]);
    await again.host.close();
  });

  it('of the profile include the learner’s picture, which syncs to their other devices', async () => {
    const { host, ask, dataDir } = await openHost();
    const avatarUrl = 'data:image/webp;base64,AAAA';
    expect(await ask.settings.updateProfile({ avatarUrl })).toMatchObject({ avatarUrl });
    await host.close();
    expect(readOutbox(dataDir)).toMatchObject([{ fields: { avatarUrl } }]);
  });

  it('of the profile are queued once, with only the changed fields', async () => {
    const { host, ask, dataDir } = await openHost();
    await ask.settings.updateProfile({ firstName: 'Ana', jobTitle: 'Nurse' });
    await ask.settings.updateProfile({ firstName: 'Anna', jobTitle: 'Nurse' });
    await ask.settings.updateProfile({ firstName: 'Anna' });
    expect(readOutbox(dataDir).map((change) => Object.keys(change.fields).toSorted())).toEqual([
      ['jobTitle'],
      ['firstName'],
    ]);
    expect(readOutbox(dataDir).at(-1)?.fields).toMatchObject({ firstName: 'Anna' });
    await host.close();
  });

  it('let the difficulty follow a new level, whatever was chosen at the previous one', async () => {
    const { host, ask, dataDir } = await openHost();
    await ask.settings.updateProfile({ englishLevel: 'beginner' });
    await ask.settings.updateProfile({ practiceDifficulty: 'easy' });
    expect(await ask.settings.updateProfile({ englishLevel: 'beginner', jobTitle: 'Nurse' })).toMatchObject({
      practiceDifficulty: 'easy',
    });
    expect(await ask.settings.updateProfile({ englishLevel: 'intermediate' })).toMatchObject({
      englishLevel: 'intermediate',
      practiceDifficulty: null,
    });
    // Other devices learn of it too.
    expect(readOutbox(dataDir).at(-1)?.fields).toMatchObject({
      englishLevel: 'intermediate',
      practiceDifficulty: null,
    });
    const both = { englishLevel: 'advanced', practiceDifficulty: 'easy' } as const;
    expect(await ask.settings.updateProfile(both)).toMatchObject(both);
    await host.close();
  });

  it('keep at most one assigned coach and their history', async () => {
    const clock = aClock();
    const { host, ask, dataDir } = await openHost({ clock });
    await ask.settings.updateProfile({ agentId: COACH });
    clock.pass(1_000);
    await ask.settings.updateProfile({ agentId: OTHER_COACH });
    await ask.settings.updateProfile({ agentId: OTHER_COACH });
    expect(assignments(dataDir)).toEqual([
      { agentId: COACH, isOpen: 0 },
      { agentId: OTHER_COACH, isOpen: 1 },
    ]);
    await ask.settings.updateProfile({ agentId: null });
    expect(assignments(dataDir).map(({ isOpen }) => isOpen)).toEqual([0, 0]);
    await host.close();
  });

  it('name the invalid field', async () => {
    const { host, ask } = await openHost();
    await expect(ask.settings.updateProfile({ firstName: 'x'.repeat(300) })).rejects.toMatchObject({
      code: 'request.invalid',
      data: { field: 'firstName' },
    });
    await host.close();
  });

  it('accept a coach that this device has not synced yet', async () => {
    const { host, ask } = await openHost();
    const unknown = CoachId.parse(testId(999));
    expect(await ask.settings.updateProfile({ agentId: unknown })).toMatchObject({ agentId: unknown });
    await host.close();
  });
});
