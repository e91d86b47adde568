/** Edits of one learner's devices: rows that one of them made are changed and deleted by the others. */
import type { Edit, EditedKey } from '../messages.ts';
import type { Random } from '../random.ts';
import type { CatalogueIds } from './catalogue-ids.ts';
import { assessment, drawChange, drawEnd, drawFilling, drawObjective, drawRow, drawTurn, time } from './draw-values.ts';

export interface EditSource {
  draw: () => Edit;
  /** Something that needs more room than any page that is left over. */
  drawLarge: () => Edit;
  /** New words, so many that two lists of them are too long together. */
  drawWordList: (words: number) => Edit;
}

interface Known {
  key: EditedKey;
  rowId: string;
}

const MADE: readonly EditedKey[] = [
  'practiceHistory',
  'userCourseInteraction',
  'userCourseInteraction',
  'feedbackDetails',
  'coachAssignmentHistory',
];
const CHANGED: readonly EditedKey[] = ['practiceHistory', 'coachAssignmentHistory'];
const WORDS = ['thorough', 'squirrel', 'rural', 'sixth', 'world', 'clothes'];
const LARGE_WORDS = 1_900;
/** Few enough that devices meet on them. */
const CONTESTED_ROWS = 3;
const CONTESTED_COURSES = 2;

/** `historyIds`: sessions that every device holds; `interactionId`: one that every turn can hang on. */
export function editSource(
  random: Random,
  ids: CatalogueIds,
  { historyIds, interactionId }: { historyIds: readonly string[]; interactionId: string },
): EditSource {
  const contested = Array.from({ length: CONTESTED_ROWS }, () => random.pick(historyIds));
  const known: Known[] = contested.map((rowId) => ({ key: 'practiceHistory', rowId }));
  const turnIds: string[] = [];
  const courseIds = ids.courseIds.slice(0, CONTESTED_COURSES);
  let words = 0;
  const rowsOf = (keys: readonly EditedKey[]): Known[] => known.filter(({ key }) => keys.includes(key));

  const insert = (): Edit => {
    const interactions = rowsOf(['userCourseInteraction']);
    const wanted = random.pick(MADE);
    const key = wanted === 'feedbackDetails' && interactions.length === 0 ? 'userCourseInteraction' : wanted;
    const hangsOn = interactions.length === 0 ? null : random.pick(interactions.slice(-3)).rowId;
    const rowId = random.uuid();
    known.push({ key, rowId });
    return { op: 'insert', key, rowId, values: drawRow(random, key, ids, hangsOn) };
  };

  /** Mostly one that others go on with as well. */
  const drawSession = (): string => {
    const own = rowsOf(['practiceHistory']).slice(CONTESTED_ROWS);
    return own.length > 0 && random.isLucky(0.25) ? random.pick(own.slice(-3)).rowId : random.pick(contested);
  };

  const turn = (values = drawTurn(random)): Edit => {
    const rowId = random.uuid();
    turnIds.push(rowId);
    return { op: 'turn', rowId, sessionId: drawSession(), values: { ...values, interactionId } };
  };

  const change = (): Edit => {
    const changeable = rowsOf(CHANGED);
    // The newest and the contested ones: that is where two devices meet.
    const { key, rowId } = random.pick([...changeable.slice(0, CONTESTED_ROWS), ...changeable.slice(-4)]);
    return { op: 'update', key, rowId, values: drawChange(random, key, ids) };
  };

  const enrolment = (): Edit => {
    const courseId = random.pick(courseIds);
    return random.isLucky(0.65) ? { op: 'enrol', courseId, enrollmentDate: time(random) } : { op: 'leave', courseId };
  };

  const deletion = (): Edit => {
    const rows: Known[] = [...known, ...turnIds.slice(-6).map((rowId): Known => ({ key: 'aiConversations', rowId }))];
    return { op: 'delete', ...random.pick(rows) };
  };

  const SHARES: readonly [number, () => Edit][] = [
    [0.14, insert],
    [0.24, turn],
    [
      0.1,
      () =>
        turnIds.length === 0
          ? turn()
          : { op: 'fill', rowId: random.pick(turnIds.slice(-8)), values: drawFilling(random) },
    ],
    [0.06, () => ({ op: 'finish', sessionId: drawSession(), values: drawEnd(random) })],
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
        assessment: assessment(random, LARGE_WORDS),
      }),
    drawWordList: (count) => {
      const from = words;
      words += count;
      const list = Array.from({ length: count }, (_, index) => `word ${from + index}`);
      return { op: 'words', words: list, accuracy: 40 };
    },
    draw: () => {
      let luck = random.next();
      for (const [share, make] of SHARES) {
        if (luck < share) return make();
        luck -= share;
      }
      return change();
    },
  };
}
