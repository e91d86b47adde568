/** Draws edits of the devices of one learner, so that devices change and delete rows of each other. */
import type { Edit, EditedKey } from '../messages.ts';
import type { Random } from '../seeded-random.ts';
import type { CatalogueIds } from './catalogue-ids.ts';
import {
  drawWireAssessment,
  drawChange,
  drawSessionResult,
  drawLateTurnFields,
  drawObjective,
  drawRow,
  drawTurn,
  drawTime,
} from './draw-values.ts';

export interface EditGenerator {
  draw: () => Edit;
  /** Draws a turn that needs more space than the pages that are left. */
  drawLarge: () => Edit;
  /** Draws new words, so many that two such lists together exceed the limit. */
  drawWordList: (words: number) => Edit;
}

interface KnownRow {
  key: EditedKey;
  rowId: string;
}

const CREATED_KEYS: readonly EditedKey[] = [
  'practiceHistory',
  'userCourseInteraction',
  'userCourseInteraction',
  'feedbackDetails',
  'coachAssignmentHistory',
  'wordAttempts',
];
const UPDATED_KEYS: readonly EditedKey[] = ['practiceHistory', 'coachAssignmentHistory'];
const WORDS = ['thorough', 'squirrel', 'rural', 'sixth', 'world', 'clothes'];
const LARGE_WORDS = 1_900;
/** Few enough that devices edit the same rows. */
const CONTESTED_ROWS = 3;
const CONTESTED_COURSES = 2;

/** `historyIds` are sessions that every device has; `interactionId` is an interaction that turns can refer to. */
export function createEditGenerator(
  random: Random,
  ids: CatalogueIds,
  { historyIds, interactionId }: { historyIds: readonly string[]; interactionId: string },
): EditGenerator {
  const contested = Array.from({ length: CONTESTED_ROWS }, () => random.pick(historyIds));
  const known: KnownRow[] = contested.map((rowId) => ({ key: 'practiceHistory', rowId }));
  const turnIds: string[] = [];
  const courseIds = ids.courseIds.slice(0, CONTESTED_COURSES);
  let wordCount = 0;
  const rowsOf = (keys: readonly EditedKey[]): KnownRow[] => known.filter(({ key }) => keys.includes(key));

  const insert = (): Edit => {
    const interactions = rowsOf(['userCourseInteraction']);
    const wanted = random.pick(CREATED_KEYS);
    const key = wanted === 'feedbackDetails' && interactions.length === 0 ? 'userCourseInteraction' : wanted;
    const parentInteractionId = interactions.length === 0 ? null : random.pick(interactions.slice(-3)).rowId;
    const rowId = random.uuid();
    known.push({ key, rowId });
    return { op: 'insert', key, rowId, values: drawRow(random, key, ids, parentInteractionId) };
  };

  /** Draws mostly a session that other devices continue as well. */
  const drawSession = (): string => {
    const own = rowsOf(['practiceHistory']).slice(CONTESTED_ROWS);
    return own.length > 0 && random.happens(0.25) ? random.pick(own.slice(-3)).rowId : random.pick(contested);
  };

  const turn = (values = drawTurn(random)): Edit => {
    const rowId = random.uuid();
    turnIds.push(rowId);
    return { op: 'turn', rowId, sessionId: drawSession(), values: { ...values, interactionId } };
  };

  const change = (): Edit => {
    const changeable = rowsOf(UPDATED_KEYS);
    // Mostly contested and recent rows, where two devices conflict.
    const { key, rowId } = random.pick([...changeable.slice(0, CONTESTED_ROWS), ...changeable.slice(-4)]);
    return { op: 'update', key, rowId, values: drawChange(random, key, ids) };
  };

  const enrolment = (): Edit => {
    const courseId = random.pick(courseIds);
    return random.happens(0.65)
      ? { op: 'enrol', courseId, enrollmentDate: drawTime(random) }
      : { op: 'leave', courseId };
  };

  const deletion = (): Edit => {
    const rows: KnownRow[] = [
      ...known,
      ...turnIds.slice(-6).map((rowId): KnownRow => ({ key: 'aiConversations', rowId })),
    ];
    return { op: 'delete', ...random.pick(rows) };
  };

  const EDIT_PROBABILITIES: readonly [number, () => Edit][] = [
    [0.14, insert],
    [0.24, turn],
    [
      0.1,
      () =>
        turnIds.length === 0
          ? turn()
          : { op: 'fill', rowId: random.pick(turnIds.slice(-8)), values: drawLateTurnFields(random) },
    ],
    [0.06, () => ({ op: 'finish', sessionId: drawSession(), values: drawSessionResult(random) })],
    [0.06, () => ({ op: 'objective', sessionId: drawSession(), entry: drawObjective(random) })],
    [0.08, enrolment],
    [0.08, () => ({ op: 'update', key: 'users', rowId: null, values: drawChange(random, 'users', ids) })],
    [0.09, () => ({ op: 'words', words: [random.pick(WORDS)], accuracy: random.int(0, 1_000) / 10 })],
    [0.06, deletion],
  ];

  return {
    drawLarge: () =>
      turn({
        ...drawTurn(random),
        role: 'learner',
        kind: null,
        mode: 'voice',
        assessment: drawWireAssessment(random, LARGE_WORDS),
      }),
    drawWordList: (count) => {
      const from = wordCount;
      wordCount += count;
      const list = Array.from({ length: count }, (_, index) => `word ${from + index}`);
      return { op: 'words', words: list, accuracy: 40 };
    },
    draw: () => {
      let roll = random.next();
      for (const [share, make] of EDIT_PROBABILITIES) {
        if (roll < share) return make();
        roll -= share;
      }
      return change();
    },
  };
}
