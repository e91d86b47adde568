import { randomUUID } from 'node:crypto';
import type { Mutation } from '@parley/contract';
import { formatHybridTime } from '@parley/domain';
import { PronunciationWords, recordWordAttempt } from '@parley/domain/test-kit/pronunciation-words';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { setUpSyncFixture } from '../../../test-kit/sync/sync-fixture.ts';
import { pushSession, rowOf, setSummary } from '../../../test-kit/sync/rows.ts';
import { joinDevice, registerDevice, type TestDevice } from '../../../test-kit/server.ts';

export function mergeSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpSyncFixture(open);

  describe('two devices', () => {
    it('keep both edits of different fields, and the later edit of the same field', async () => {
      const { server, laptop, phone, ids } = home;
      const { rowId } = await pushSession(server, laptop, ids);
      const base = server.now().getTime();
      await phone.push(
        phone.change({ table: 'practice_history', rowId, fields: { score: 80 }, ms: base + 1 }),
        setSummary(phone, rowId, 'later', base + 30),
      );
      await laptop.push(setSummary(laptop, rowId, 'earlier', base + 20));
      expect(await rowOf(laptop, rowId)).toMatchObject({ score: 80, summary: 'later' });
    });

    it('cannot win for ever with a clock that runs ahead', async () => {
      const { server, laptop, phone, ids } = home;
      const { rowId } = await pushSession(server, laptop, ids);
      const twoDays = 2 * 24 * 3_600_000;
      await phone.push(setSummary(phone, rowId, 'from the future', server.now().getTime() + twoDays));
      server.advanceClock(5 * 60_000);
      await laptop.push(setSummary(laptop, rowId, 'five minutes later'));
      expect(await rowOf(phone, rowId)).toMatchObject({ summary: 'five minutes later' });
    });

    it('keep the later edit, then the deletion, of a device whose clock runs ahead', async () => {
      const { server, laptop, phone, ids } = home;
      const { rowId } = await pushSession(server, laptop, ids);
      const ahead = server.now().getTime() + 24 * 3_600_000;
      await phone.push(setSummary(phone, rowId, 'first', ahead), setSummary(phone, rowId, 'second', ahead + 1_000));
      expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'second' });
      await phone.push(phone.change({ table: 'practice_history', rowId, op: 'delete', ms: ahead + 2_000 }));
      expect((await rowOf(laptop, rowId))?.['deletedAt']).toEqual(expect.any(String));
    });

    it('that edit a field at the same instant agree, whichever pushes first', async () => {
      const { server, laptop, phone, ids } = home;
      const [lower, higher] = [laptop, phone].toSorted((a, b) => (a.deviceId < b.deviceId ? -1 : 1));
      for (const order of [
        [lower, higher],
        [higher, lower],
      ]) {
        const { rowId } = await pushSession(server, laptop, ids);
        const ms = server.now().getTime() + 10;
        for (const device of order) {
          const at = formatHybridTime({ ms, counter: 0, deviceId: device?.deviceId ?? '' });
          const fields = { summary: device === higher ? 'higher' : 'lower' };
          await device?.push(device.change({ table: 'practice_history', rowId, fields, at }));
        }
        expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'higher' });
      }
    });

    it('keep the last change of one when it sends an older change again under a new number', async () => {
      const { server, laptop, phone, ids } = home;
      const { rowId } = await pushSession(server, laptop, ids);
      server.advanceClock(60_000);
      const base = server.now().getTime();
      const older = setSummary(phone, rowId, 'older', base + 10);
      await phone.push(older);
      const deletion = phone.change({ table: 'practice_history', rowId, op: 'delete', ms: base + 20 });
      await phone.push(deletion);
      const newer = setSummary(phone, rowId, 'newer', base + 30);
      await phone.push(newer);
      server.advanceClock(60_000);
      const renumbered = ({ id: _id, deviceSeq: _seq, ...change }: Mutation): Mutation => phone.change(change);
      expect((await phone.push(renumbered(older), renumbered(deletion))).outcomes.map(({ status }) => status)).toEqual([
        'merged',
        'merged',
      ]);
      expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'newer', deletedAt: null });
      // Sending the newest change again changes nothing, and a change that follows it wins.
      await phone.push(renumbered(newer));
      expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'newer', deletedAt: null });
      await phone.push(setSummary(phone, rowId, 'newest', base + 31));
      expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'newest', deletedAt: null });
    });

    it('keep the last change of one when an older change is sent again and takes long', async () => {
      const { server, ids } = home;
      const laptop = await registerDevice(server);
      const phone = await joinDevice(server, laptop);
      const { rowId } = await pushSession(server, laptop, ids);
      server.advanceClock(60_000);
      phone.clockAheadMs = -3_600_000;
      const base = server.now().getTime() + phone.clockAheadMs;
      const sendAfter = (uplinkMs: number, change: Mutation) =>
        phone.tryPush([change], { now: new Date(base + 10 - uplinkMs).toISOString() });
      const deletion = phone.change({ table: 'practice_history', rowId, op: 'delete', ms: base - 1_000 });
      await sendAfter(50, deletion);
      await sendAfter(50, setSummary(phone, rowId, 'newer', base - 990));
      const { id: _id, deviceSeq: _seq, ...again } = deletion;
      await sendAfter(900, phone.change(again));
      expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'newer', deletedAt: null });
    });

    it('keep the order of their own changes, however long each takes to arrive', async () => {
      const { server, ids } = home;
      const laptop = await registerDevice(server);
      const phone = await joinDevice(server, laptop);
      const { rowId } = await pushSession(server, laptop, ids);
      const base = server.now().getTime();
      phone.clockAheadMs = -24 * 3_600_000;
      const made = (text: string, ms: number) => setSummary(phone, rowId, text, base + phone.clockAheadMs + ms);
      // The clock was read nine seconds before the slow request arrived.
      await phone.tryPush([made('first', 0)], { now: new Date(base + phone.clockAheadMs - 9_000).toISOString() });
      await phone.push(made('second', 10));
      expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'second' });
    });

    it('delete by tombstone, which only a newer edit revives', async () => {
      const { server, laptop, phone, ids } = home;
      const { rowId } = await pushSession(server, laptop, ids);
      const base = server.now().getTime();
      await laptop.push(laptop.change({ table: 'practice_history', rowId, op: 'delete', ms: base + 100 }));
      expect((await rowOf(phone, rowId))?.['deletedAt']).toEqual(expect.any(String));
      await phone.push(setSummary(phone, rowId, 'older', base + 50));
      expect((await rowOf(phone, rowId))?.['deletedAt']).toEqual(expect.any(String));
      await phone.push(setSummary(phone, rowId, 'newer', base + 200));
      expect(await rowOf(laptop, rowId)).toMatchObject({ deletedAt: null, summary: 'newer' });
    });

    it('cannot change append-only rows', async () => {
      const { laptop, phone } = home;
      const interactionId = randomUUID();
      const fields = {
        userId: laptop.userId,
        courseId: null,
        interactionType: 'practice',
        timestamp: '2026-11-18T10:00:00.000Z',
        details: { sessionId: null, practiceId: null, videoId: null, courseSectionId: null },
      };
      await laptop.push(laptop.change({ table: 'user_course_interaction', rowId: interactionId, fields }));
      await phone.push(
        phone.change({
          table: 'user_course_interaction',
          rowId: interactionId,
          fields: { ...fields, interactionType: 'video' },
        }),
      );
      const kept = (await laptop.pull()).find((row) => row.fields['interactionId'] === interactionId);
      expect(kept?.fields).toMatchObject({ interactionType: 'practice' });
    });

    it('merge their lists of words to train word by word', async () => {
      const { server, laptop, phone } = home;
      const rowId = laptop.userId;
      const said =
        (deviceId: string) =>
        (word: string, at: string, before: PronunciationWords = []) =>
          recordWordAttempt(before, { word, ipa: '', accuracy: 40, worstPhonemes: [], at, deviceId });
      const list = (device: TestDevice, words: PronunciationWords, ms: number) =>
        device.change({
          table: 'pronunciation_improvement_summary',
          rowId,
          fields: { userId: laptop.userId, words: words as never },
          ms: server.now().getTime() + ms,
        });
      const monday = '2026-11-16T10:00:00.000Z';
      const tuesday = '2026-11-17T10:00:00.000Z';
      const [onLaptop, onPhone] = [said(laptop.deviceId), said(phone.deviceId)];
      const twice = onLaptop('quarter', tuesday, onLaptop('quarter', monday));
      await laptop.push(list(laptop, onLaptop('invoice', monday, twice), 20));
      await phone.push(list(phone, onPhone('schedule', monday, onPhone('quarter', monday)), 10));
      const kept = PronunciationWords.parse((await rowOf(phone, rowId))?.['words']);
      expect(kept.map(({ word, attempts }) => `${word} ${attempts}`)).toEqual(['invoice 1', 'quarter 3', 'schedule 1']);
    });
  });
}
