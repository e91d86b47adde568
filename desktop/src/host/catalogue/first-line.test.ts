import { afterEach, expect, it } from 'vitest';
import { openHost, removeDataFolders } from '../test-kit/open-host.ts';
import { LATE_DELIVERY } from '../test-kit/test-catalogue.ts';

afterEach(removeDataFolders);

it('returns the coach’s first line at the learner’s level', async () => {
  const { ask, host } = await openHost();
  const [card] = (await ask.catalogue.practices()).filter(({ practiceId }) => practiceId === LATE_DELIVERY);
  const { line } = await ask.catalogue.firstLine({ practiceId: LATE_DELIVERY });
  expect(card?.hasScript).toBe(true);
  expect(line).toMatch(/\w/);
  expect(line).not.toContain('{coach}');
  await host.close();
});
