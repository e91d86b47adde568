import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { setUpHousehold } from '../test-kit/household.ts';
import { fillHistory } from '../test-kit/long-history.ts';
import { pushSession, sessionFields } from '../test-kit/rows.ts';
import { registerDevice } from '../test-kit/server.ts';
import { StreamedCopy, type StreamPage } from '../test-kit/streamed.ts';

const SEED = Number(process.env['FAST_CHECK_SEED'] ?? 20_261_118);
const SESSIONS = 7;

/** What happens at a cut: how much had come, as a share of the lines, and what the other device does before the next call. */
const cut = fc.record({
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  acts: fc.array(
    fc.record({
      act: fc.constantFrom('change', 'add', 'delete', 'revive'),
      session: fc.nat({ max: SESSIONS - 1 }),
    }),
    { maxLength: 3 },
  ),
});
type Cut = typeof cut extends fc.Arbitrary<infer Value> ? Value : never;

export function streamCutsSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpHousehold(open);
  let sessionIds: string[];
  beforeAll(async () => {
    sessionIds = await fillHistory(home.server, home.laptop, { ids: home.ids, sessions: SESSIONS });
  });

  const act = async ({ act, session }: Cut['acts'][number]): Promise<void> => {
    home.server.pass(10);
    const change = { table: 'practice_history', rowId: sessionIds[session] ?? '' };
    if (act === 'add') await pushSession(home.server, home.laptop, home.ids, 'added at a cut');
    else if (act === 'delete') await home.laptop.push(home.laptop.change({ ...change, op: 'delete' }));
    else await home.laptop.push(home.laptop.change({ ...change, fields: { summary: `${act} at a cut` } }));
  };

  const begun = (pages: readonly StreamPage[], share: number): StreamPage[] =>
    pages.slice(0, Math.round(share * pages.length));

  describe('a stream that is cut off', () => {
    it('anywhere and as often as may be, while rows change, ends with what one that was not cut brings', async () => {
      const story = async (cuts: readonly Cut[]): Promise<void> => {
        const copy = new StreamedCopy();
        for (const { share, acts } of cuts) {
          copy.take(begun((await home.phone.stream(copy.cursors)).pages, share));
          for (const each of acts) await act(each);
        }
        const rest = await home.phone.stream(copy.cursors);
        expect(rest.hasEnded).toBe(true);
        copy.take(rest.pages);
        const whole = new StreamedCopy().take((await home.phone.stream()).pages);
        expect(copy.sorted()).toEqual(whole.sorted());
        expect(copy.cursors).toEqual(whole.cursors);
      };
      await fc.assert(fc.asyncProperty(fc.array(cut, { minLength: 1, maxLength: 4 }), story), {
        numRuns: 6,
        seed: SEED,
        // The same few rows again and again: shrinking would tell little that the counterexample does not.
        endOnFailure: true,
      });
    });

    it('in the middle of a version that is too large for a line brings that version whole', async () => {
      const { server, ids } = home;
      const device = await registerDevice(server);
      const together = Array.from({ length: 7 }, () =>
        device.change({ table: 'practice_history', rowId: randomUUID(), fields: sessionFields(ids, device.userId) }),
      );
      await device.push(...together);
      await fillHistory(server, device, { ids, sessions: 1 });
      const whole = new StreamedCopy().take((await device.stream()).pages);
      expect(whole.rows.size).toBeGreaterThan(together.length);
      const { pages } = await device.stream();
      for (let kept = 1; kept < pages.length; kept += 1) {
        const copy = new StreamedCopy().take(pages.slice(0, kept));
        copy.take((await device.stream(copy.cursors)).pages);
        expect(copy.sorted()).toEqual(whole.sorted());
      }
    });

    it('comes to an end though each call brings one page more', async () => {
      const copy = new StreamedCopy();
      let calls = 0;
      for (; calls < 50; calls += 1) {
        const [next] = (await home.phone.stream(copy.cursors)).pages;
        if (next === undefined) break;
        copy.take([next]);
      }
      const { pages } = await home.phone.stream();
      expect(calls).toBe(pages.length);
      expect(copy.sorted()).toEqual(new StreamedCopy().take(pages).sorted());
    });
  });
}
