/** One anonymous account stores rows that are small compressed and large on their way out, then asks for streams that it never reads. */
import { randomUUID } from 'node:crypto';
import { type AttackAccount, openAccount, readStream } from '../account.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, type AttackFigures, describeFigures, keepsMemoryTarget, MEMORY_TARGET } from '../attack.ts';
import { measureAttack } from '../measure.ts';
import { holdSockets, requestBytes } from '../sockets.ts';
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
    const attacker = await openAccount(target);
    let longestMb = Number.NaN;
    // Before memory is measured: what pushes leave to the garbage collector is not what the streams hold.
    await fill(attacker);
    const figures: AttackFigures = await measureAttack(target, async () => {
      const held = await holdSockets(target, {
        count: STREAMS,
        bytes: requestBytes({
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
        held();
        longestMb = await longestLineMb(target, attacker);
      };
    });
    return {
      after: `longest line ${longestMb.toFixed(1)} MiB; ${describeFigures(figures)}`,
      holds: longestMb <= MAX_LINE_MB && keepsMemoryTarget(figures),
    };
  },
};

/** A megabyte in a key that nobody knows, in each row; where that is refused, the longest that the row's own fields may be. */
async function fill(attacker: AttackAccount): Promise<void> {
  const nothing = { sessionId: null, practiceId: null, videoId: null, courseSectionId: null };
  const at = new Date().toISOString();
  for (let row = 0; row < ROWS; row += 1) {
    const rowId = randomUUID();
    const about = { userId: attacker.userId, courseId: null, interactionType: 'section_opened', timestamp: at };
    await attacker.push([
      {
        table: 'user_course_interaction',
        rowId,
        fields: { ...about, createdAt: at, details: { ...nothing, junk: 'x'.repeat(JUNK_CHARACTERS) } },
      },
    ]);
    const own = randomUUID();
    await attacker.push([
      { table: 'user_course_interaction', rowId: own, fields: { ...about, createdAt: at, details: nothing } },
      { table: 'ai_conversations', rowId: randomUUID(), fields: longestTurn(attacker, own, at) },
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

/** Of a stream that is read once the server has noticed that the others are gone. */
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
