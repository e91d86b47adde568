/** What an app of protocol 2 says in its own way, told as protocol 3 would say it; docs/protocol.md, "Protocol 2". */
import { ANY, type OracleEdit, type Row, type ToldField } from './edit.ts';
import { SESSIONS, TURNS } from './conversation.ts';

const CONVERSATION = 'entireConversation';
/** Its text and its assessment may come later; the rest of a turn is known when it is said. */
const NAMES: Record<string, string> = {
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

/** A conversation that came whole is its turns. */
export function withTurnsAsRows(edits: readonly OracleEdit[]): OracleEdit[] {
  return edits.flatMap((edit) => {
    const conversation = edit.fields.get(CONVERSATION);
    if (edit.table !== SESSIONS || conversation === undefined) return [edit];
    const fields = new Map([...edit.fields].filter(([name]) => name !== CONVERSATION));
    const turns = Array.isArray(conversation.value) ? (conversation.value as Row[]) : [];
    const { isSure } = conversation;
    return [{ ...edit, fields }, ...turns.map((turn) => asRow(edit, turn, isSure))];
  });
}

function asRow(edit: OracleEdit, turn: Row, isSure: boolean): OracleEdit {
  const told = Object.entries(NAMES).flatMap(([name, inTurn]): [string, ToldField][] =>
    inTurn in turn ? [[name, { value: turn[inTurn], isSure }]] : [],
  );
  // What it follows in the list may have been deleted meanwhile, and a turn that was there already follows what it followed.
  const unknown = ['interactionId', 'userId', 'courseId', 'createdAt', 'assessment', 'previousTurnId'];
  const fields = new Map<string, ToldField>([
    ...told,
    ...unknown.map((name): [string, ToldField] => [name, { value: ANY, isSure }]),
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

/** Such turns hang on an interaction that the server makes for their session. */
export const sessionsOfOldApps = (edits: readonly OracleEdit[]): Set<string> =>
  new Set(
    edits.flatMap(({ table, fields }) =>
      table === TURNS && fields.get('interactionId')?.value === ANY ? [String(fields.get('sessionId')?.value)] : [],
    ),
  );
