/** Converts edits of protocol 2 into those of protocol 3; see docs/protocol.md, "Protocol 2". */
import { UNKNOWN_VALUE, type OracleEdit, type Row, type KnownField } from './oracle-edit.ts';
import { SESSIONS, TURNS } from './conversation.ts';

const CONVERSATION = 'entireConversation';
/** Fields of a turn that are fixed when it is said; its text and its assessment may follow later. */
const TURN_FIELD_NAMES: Record<string, string> = {
  content: 'text',
  saidAt: 'at',
  role: 'role',
  node: 'node',
  kind: 'kind',
  mode: 'mode',
  recordingId: 'recordingId',
  hintLevel: 'hintLevel',
  fitted: 'fitted',
};

/** Splits an edit of a whole conversation into edits of its turns. */
export function expandConversations(edits: readonly OracleEdit[]): OracleEdit[] {
  return edits.flatMap((edit) => {
    const conversation = edit.fields.get(CONVERSATION);
    if (edit.table !== SESSIONS || conversation === undefined) return [edit];
    const fields = new Map([...edit.fields].filter(([name]) => name !== CONVERSATION));
    const turns = Array.isArray(conversation.value) ? (conversation.value as Row[]) : [];
    const { isSure } = conversation;
    return [{ ...edit, fields }, ...turns.map((turn) => toTurnEdit(edit, turn, isSure))];
  });
}

function toTurnEdit(edit: OracleEdit, turn: Row, isSure: boolean): OracleEdit {
  const told = Object.entries(TURN_FIELD_NAMES).flatMap(([name, inTurn]): [string, KnownField][] =>
    inTurn in turn ? [[name, { value: turn[inTurn], isSure }]] : [],
  );
  // Its predecessor in the list may have been deleted, and a turn that already exists keeps its predecessor.
  const unknown = ['interactionId', 'userId', 'courseId', 'createdAt', 'assessment', 'previousTurnId'];
  const fields = new Map<string, KnownField>([
    ...told,
    ...unknown.map((name): [string, KnownField] => [name, { value: UNKNOWN_VALUE, isSure }]),
    ['sessionId', { value: edit.rowId, isSure }],
  ]);
  return {
    ...edit,
    table: TURNS,
    rowId: String(turn['turnId']),
    creates: true,
    fields,
    attempts: [],
    isSure: edit.isSure && isSure,
  };
}

/** Finds sessions of old apps, for whose turns the server creates an interaction. */
export const findOldAppSessions = (edits: readonly OracleEdit[]): Set<string> =>
  new Set(
    edits.flatMap(({ table, fields }) =>
      table === TURNS && fields.get('interactionId')?.value === UNKNOWN_VALUE
        ? [String(fields.get('sessionId')?.value)]
        : [],
    ),
  );
