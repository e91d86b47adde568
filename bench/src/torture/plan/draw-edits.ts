/** Edits of one learner's devices: rows that one of them made are changed and deleted by the others. */
import type { Edit, EditedKey } from '../messages.ts';
import type { Random } from '../random.ts';
import type { CatalogueIds } from './catalogue-ids.ts';
import { drawChange, drawRow, drawTurns, sessionValues } from './draw-values.ts';

export interface EditSource {
  draw: () => Edit;
  /** A new session that needs more room than any page that is left over. */
  drawLarge: () => Edit;
}

interface Known {
  key: EditedKey;
  rowId: string;
}

const MADE: readonly EditedKey[] = [
  'practiceHistory',
  'practiceHistory',
  'userCourseInteraction',
  'userCourseInteraction',
  'aiConversations',
  'aiConversations',
  'feedbackDetails',
  'coachAssignmentHistory',
  'enrollments',
];
const APPEND_ONLY: readonly EditedKey[] = ['userCourseInteraction', 'aiConversations', 'feedbackDetails'];
const WORDS = ['thorough', 'squirrel', 'rural', 'sixth', 'world', 'clothes'];
const LARGE_TURNS = 300;
/** Few enough that devices meet on them. */
const CONTESTED_ROWS = 4;

export function editSource(random: Random, ids: CatalogueIds, historyIds: readonly string[]): EditSource {
  const known: Known[] = Array.from({ length: CONTESTED_ROWS }, () => ({
    key: 'practiceHistory' as const,
    rowId: random.pick(historyIds),
  }));
  const rowsOf = (keys: readonly EditedKey[]): Known[] => known.filter(({ key }) => keys.includes(key));

  const insert = (): Edit => {
    const interactions = rowsOf(['userCourseInteraction']);
    const wanted = random.pick(MADE);
    const needsInteraction = wanted === 'aiConversations' || wanted === 'feedbackDetails';
    const key = needsInteraction && interactions.length === 0 ? 'userCourseInteraction' : wanted;
    const interactionId = interactions.length === 0 ? null : random.pick(interactions.slice(-3)).rowId;
    const rowId = random.uuid();
    known.push({ key, rowId });
    return { op: 'insert', key, rowId, values: drawRow(random, key, ids, interactionId) };
  };

  return {
    drawLarge: () => {
      const rowId = random.uuid();
      known.push({ key: 'practiceHistory', rowId });
      const values = { ...sessionValues(random, ids), entireConversation: drawTurns(random, LARGE_TURNS) };
      return { op: 'insert', key: 'practiceHistory', rowId, values };
    },
    draw: () => {
      const luck = random.next();
      if (luck < 0.3) return insert();
      if (luck < 0.42) return { op: 'update', key: 'users', rowId: null, values: drawChange(random, 'users', ids) };
      if (luck < 0.52) return { op: 'word', word: random.pick(WORDS), accuracy: random.int(0, 1_000) / 10 };
      if (luck < 0.62) return { op: 'delete', ...random.pick(known) };
      const changeable = known.filter(({ key }) => !APPEND_ONLY.includes(key));
      // The newest and the contested ones: that is where two devices meet.
      const { key, rowId } = random.pick([...changeable.slice(0, CONTESTED_ROWS), ...changeable.slice(-4)]);
      return { op: 'update', key, rowId, values: drawChange(random, key, ids) };
    },
  };
}
