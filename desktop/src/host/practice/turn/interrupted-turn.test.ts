import { afterEach, describe, expect, it } from 'vitest';
import { LATE_REPLY } from '../../test-kit/test-catalogue.ts';
import {
  aScriptedScorer,
  aWindow,
  openHost,
  type OpenHost,
  recordTurn,
  silentPcm,
  voiceLikePcm,
  startPractice,
} from '../../test-kit/open-host.ts';
import { fillDiskAfter, restoreDisk } from '../../test-kit/full-disk.ts';
import { readRecordingStates } from '../../test-kit/read-database.ts';

let opened: OpenHost;
afterEach(async () => {
  restoreDisk();
  await opened.host.close();
});

async function startSpoken(): Promise<string> {
  opened = await openHost();
  const { sessionId } = await startPractice(opened.ask, 'audio');
  return sessionId;
}

/** Collects the tables whose changes are reported to a window. */
async function listenToChanges(): Promise<{ tables: string[]; stop: () => Promise<void> }> {
  const tables: string[] = [];
  const leaving = new AbortController();
  const listen = async (): Promise<void> => {
    const events = await opened.ask.app.events(undefined, { signal: leaving.signal });
    for await (const event of events) if (event.type === 'data_changed') tables.push(...event.tables);
  };
  const listening = listen();
  await new Promise((resolve) => setImmediate(resolve));
  return {
    tables,
    stop: () => {
      leaving.abort();
      return listening;
    },
  };
}

describe('a recording whose window closes', () => {
  it('becomes the waiting turn with all its audio', async () => {
    const sessionId = await startSpoken();
    const window = aWindow(opened.host);
    const pcm = voiceLikePcm(2_000);
    const { turnId, recordingId } = await recordTurn(window.ask, sessionId, pcm);
    window.close();

    const { waitingTurn } = await opened.ask.practice.session({ sessionId });
    expect(waitingTurn).toMatchObject({ status: 'heard', turnId, text: LATE_REPLY, isInterrupted: true });
    const wav = await opened.ask.recordings.read({ recordingId });
    expect(new Uint8Array(await wav.arrayBuffer()).slice(44)).toEqual(pcm);
    const sent = await opened.ask.practice.sendTurn({ sessionId, turnId });
    expect(sent).toMatchObject({ waitingTurn: null, turns: [{}, { recordingId, text: LATE_REPLY }, {}] });
  });

  it('is assessed while the session is already open', async () => {
    const { promise: isAssessed, resolve: finishAssessing } = Promise.withResolvers<void>();
    const scorer = aScriptedScorer();
    opened = await openHost({
      scorer: {
        ...scorer,
        rank: async (speech) => {
          await isAssessed;
          return scorer.rank(speech);
        },
      },
    });
    const { sessionId } = await startPractice(opened.ask, 'audio');
    const window = aWindow(opened.host);
    const { turnId } = await recordTurn(window.ask, sessionId);
    window.close();

    const { waitingTurn } = await opened.ask.practice.session({ sessionId });
    expect(waitingTurn).toMatchObject({ status: 'assessing', turnId, isInterrupted: true });
    await expect(opened.ask.practice.sendTurn({ sessionId, turnId })).rejects.toMatchObject({ code: 'turn.not_ready' });
    const changed = await listenToChanges();
    finishAssessing();
    await expect.poll(() => changed.tables).toContain('practice_history');
    await changed.stop();
    expect((await opened.ask.practice.session({ sessionId })).waitingTurn).toMatchObject({ status: 'heard', turnId });
  });

  it('can be recorded again without the interrupted flag', async () => {
    const sessionId = await startSpoken();
    const window = aWindow(opened.host);
    await recordTurn(window.ask, sessionId);
    window.close();
    await opened.ask.practice.session({ sessionId });

    const { turnId } = await recordTurn(opened.ask, sessionId);
    expect(await opened.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 })).toMatchObject({
      status: 'heard',
      isInterrupted: false,
    });
    expect(readRecordingStates(opened.dataDir)).toEqual(['set_aside', 'waiting']);
  });

  it('notifies a window that opened the session earlier', async () => {
    const sessionId = await startSpoken();
    const window = aWindow(opened.host);
    await recordTurn(window.ask, sessionId);
    expect((await opened.ask.practice.session({ sessionId })).waitingTurn).toBeNull();
    const changed = await listenToChanges();
    window.close();
    await expect.poll(() => changed.tables).toContain('practice_history');
    await changed.stop();
    expect((await opened.ask.practice.session({ sessionId })).waitingTurn).toMatchObject({ isInterrupted: true });
  });

  it('is discarded when it contains no speech', async () => {
    const sessionId = await startSpoken();
    for (const pcm of [silentPcm(0), voiceLikePcm(200), silentPcm(1_500)]) {
      const window = aWindow(opened.host);
      await recordTurn(window.ask, sessionId, pcm);
      window.close();
      expect((await opened.ask.practice.session({ sessionId })).waitingTurn).toBeNull();
    }
  });

  it('is reported to that window and does not affect a newer recording of another one', async () => {
    const sessionId = await startSpoken();
    const window = aWindow(opened.host);
    const interrupted = await recordTurn(window.ask, sessionId);
    await expect(opened.ask.practice.beginTurn({ sessionId })).rejects.toMatchObject({ code: 'turn.interrupted' });
    const late = { sessionId, turnId: interrupted.turnId, seq: 20, pcm: new Blob([voiceLikePcm(100)]) };
    await expect(window.ask.practice.appendAudio(late)).rejects.toMatchObject({ code: 'turn.interrupted' });
    const { turnId } = await recordTurn(opened.ask, sessionId);
    window.close();
    expect(await opened.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 })).toMatchObject({
      turnId,
      isInterrupted: false,
    });
  });

  it('is unchanged once it was finished', async () => {
    const sessionId = await startSpoken();
    const window = aWindow(opened.host);
    const { turnId } = await recordTurn(window.ask, sessionId);
    await window.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    window.close();
    expect((await opened.ask.practice.session({ sessionId })).waitingTurn).toMatchObject({
      turnId,
      isInterrupted: false,
    });
  });
});

describe('a turn that waits in one of two windows', () => {
  async function waitInOneWindow() {
    const sessionId = await startSpoken();
    const { turnId } = await recordTurn(opened.ask, sessionId);
    await opened.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    return { sessionId, turnId };
  }

  it('is replaced only by a window that shows it', async () => {
    const { sessionId, turnId } = await waitInOneWindow();
    const other = aWindow(opened.host);
    const unseen = { sessionId, replaces: null };
    await expect(other.ask.practice.beginTurn(unseen)).rejects.toMatchObject({ code: 'turn.waiting' });
    const typed = other.ask.practice.sendTyped({ ...unseen, text: 'Good morning.', hintLevel: 0 });
    await expect(typed).rejects.toMatchObject({ code: 'turn.waiting' });
    expect(readRecordingStates(opened.dataDir)).toEqual(['waiting']);
    await other.ask.practice.beginTurn({ sessionId, replaces: turnId });
    expect(readRecordingStates(opened.dataDir)).toEqual(['set_aside', 'recording']);
  });

  it('is shown by the other window as soon as it waits', async () => {
    const sessionId = await startSpoken();
    const { turnId } = await recordTurn(opened.ask, sessionId);
    const changed = await listenToChanges();
    await opened.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    await expect.poll(() => changed.tables).toContain('practice_history');
    await changed.stop();
  });

  it('does not block the session when it is an interrupted silence that no window shows', async () => {
    const sessionId = await startSpoken();
    const window = aWindow(opened.host);
    await recordTurn(window.ask, sessionId, silentPcm(1_500));
    window.close();
    expect((await opened.ask.practice.session({ sessionId })).waitingTurn).toBeNull();
    await expect(opened.ask.practice.beginTurn({ sessionId, replaces: null })).resolves.toMatchObject({
      turnId: expect.any(String),
    });
  });
});

describe('an unfinished recording', () => {
  it('is offered, not replaced, when the next turn begins', async () => {
    const sessionId = await startSpoken();
    const { turnId } = await recordTurn(opened.ask, sessionId);
    await expect(opened.ask.practice.beginTurn({ sessionId })).rejects.toMatchObject({ code: 'turn.interrupted' });
    expect((await opened.ask.practice.session({ sessionId })).waitingTurn).toMatchObject({
      turnId,
      isInterrupted: true,
    });
    // The learner has now seen the turn and may record it again.
    await opened.ask.practice.beginTurn({ sessionId });
    expect(readRecordingStates(opened.dataDir)).toEqual(['set_aside', 'recording']);
  });

  it('is offered when the disk was full as it was finished', async () => {
    const sessionId = await startSpoken();
    const { turnId } = await recordTurn(opened.ask, sessionId);
    fillDiskAfter(0);
    await expect(opened.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 })).rejects.toMatchObject({
      code: 'storage.full',
    });
    restoreDisk();
    await expect(opened.ask.practice.beginTurn({ sessionId })).rejects.toMatchObject({ code: 'turn.interrupted' });
    expect((await opened.ask.practice.session({ sessionId })).waitingTurn).toMatchObject({ status: 'heard', turnId });
  });

  it('does not keep its session from being discarded when the disk is full', async () => {
    const sessionId = await startSpoken();
    await recordTurn(opened.ask, sessionId);
    fillDiskAfter(0);
    await expect(opened.ask.practice.discard({ sessionId })).resolves.toBeUndefined();
    await expect(opened.ask.practice.session({ sessionId })).rejects.toMatchObject({ code: 'session.not_found' });
  });

  it('is replaced at once when it is almost empty', async () => {
    const sessionId = await startSpoken();
    await opened.ask.practice.beginTurn({ sessionId });
    await expect(opened.ask.practice.beginTurn({ sessionId })).resolves.toMatchObject({ turnId: expect.any(String) });
  });

  it('is still marked as interrupted after a restart', async () => {
    const sessionId = await startSpoken();
    const { turnId } = await recordTurn(opened.ask, sessionId);
    await opened.host.close();
    opened = await openHost({ dataDir: opened.dataDir });
    expect((await opened.ask.practice.session({ sessionId })).waitingTurn).toMatchObject({
      status: 'heard',
      turnId,
      isInterrupted: true,
    });
  });
});
