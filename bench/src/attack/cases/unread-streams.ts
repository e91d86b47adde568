/** An anonymous account stores rows that compress well, then requests large streams that it never reads. */
import { randomUUID } from 'node:crypto';
import { type AttackAccount, registerAccount, readStream } from '../anonymous-account.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, type AttackFigures, describeFigures, meetsMemoryTarget, MEMORY_TARGET } from '../attack.ts';
import { measureAttack } from '../measure-attack.ts';
import { holdConnections, encodeRequest } from '../stalled-connections.ts';
import { SERVER_KINDS, type Target } from '../target.ts';

const ROWS = 175;
const JUNK_CHARACTERS = 1_000_000;
const STREAMS = 40;
const MAX_LINE_MB = 4;
const MAX_TRIES = 50;
const MEBIBYTE = 1_048_576;

export const unreadStreams: Attack = {
  name: `An anonymous account stores ${ROWS} rows of a megabyte in 264 kB of pushes, and reads none of ${STREAMS} streams`,
  before: 'a line of 175 MB; 4.6 GiB more',
  target: `${MEMORY_TARGET}, lines <= ${MAX_LINE_MB} MiB`,
  on: SERVER_KINDS,
  run: async (target) => {
    const attacker = await registerAccount(target);
    let longestMb = Number.NaN;
    // Rows are stored before memory is measured, so that garbage from the pushes does not count.
    await storeLargeRows(attacker);
    const figures: AttackFigures = await measureAttack(target, async () => {
      const closeConnections = await holdConnections(target, {
        count: STREAMS,
        bytes: encodeRequest({
          path: '/v1/sync/stream',
          headers: {
            'content-type': 'application/json',
            'accept-encoding': 'identity',
            authorization: attacker.authorization,
          },
          body: attacker.streamBody,
        }),
        reads: false,
      });
      return async () => {
        closeConnections();
        longestMb = await longestLineMb(target, attacker);
      };
    });
    return {
      after: `longest line ${longestMb.toFixed(1)} MiB; ${describeFigures(figures)}`,
      holds: longestMb <= MAX_LINE_MB && meetsMemoryTarget(figures),
    };
  },
};

/** Stores rows with a megabyte in an unknown key. In case that is refused, it also stores rows with the longest valid fields. */
async function storeLargeRows(attacker: AttackAccount): Promise<void> {
  const nothing = { sessionId: null, practiceId: null, videoId: null, courseSectionId: null };
  const at = new Date().toISOString();
  for (let row = 0; row < ROWS; row += 1) {
    const rowId = randomUUID();
    const interaction = { userId: attacker.userId, courseId: null, interactionType: 'section_opened', timestamp: at };
    await attacker.push([
      {
        table: 'user_course_interaction',
        rowId,
        fields: { ...interaction, createdAt: at, details: { ...nothing, junk: 'x'.repeat(JUNK_CHARACTERS) } },
      },
    ]);
    const interactionId = randomUUID();
    await attacker.push([
      {
        table: 'user_course_interaction',
        rowId: interactionId,
        fields: { ...interaction, createdAt: at, details: nothing },
      },
      { table: 'ai_conversations', rowId: randomUUID(), fields: longestTurn(attacker, interactionId, at) },
    ]);
  }
}

const longestTurn = ({ userId }: AttackAccount, interactionId: string, createdAt: string) => ({
  interactionId,
  userId,
  courseId: null,
  content: 'x'.repeat(4_000),
  role: 'learner',
  createdAt,
  assessment: {
    v: 1,
    source: 'device',
    durationMs: 1_000,
    snrDb: null,
    scores: [null, null, null, null, null],
    words: 'x'.repeat(150_000),
    phonemes: '',
    sounds: 'A'.repeat(200_000),
    pitch: '',
    pauses: [],
  },
});

/** Returns the longest line in MiB, once the server has noticed that the other connections closed. */
async function longestLineMb(target: Target, attacker: AttackAccount): Promise<number> {
  for (let tries = 0; ; tries += 1)
    try {
      const lines = (await readStream(target, attacker)).split('\n');
      return Math.max(...lines.map((line) => Buffer.byteLength(line))) / MEBIBYTE;
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
      await sleep(100);
    }
}
