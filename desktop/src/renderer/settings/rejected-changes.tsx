/** What the server refused, in the learner's words and with all of its content: it stays until they say that they have seen it. */
import type { RejectedChange } from '@parley/contract';
import { Button, Quiet, Row } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../app/host-context.tsx';
import css from './settings.module.css';

const KIND_BY_TABLE: Record<string, string> = {
  users: 'Your profile',
  practice_history: 'A practice session',
  ai_conversations: 'A line of a conversation',
  user_course_interaction: 'A step in a course',
  feedback_details: 'Feedback on a session',
  coach_assignment_history: 'Your choice of coach',
  enrollments: 'A course that you joined',
  pronunciation_improvement_summary: 'Your words to train',
};

const REASON_BY_CODE: Record<RejectedChange['code'], string> = {
  not_yours: 'it belongs to another account',
  account_field: 'only your organisation can change this',
  unknown_table: 'the server does not know this kind of data yet',
  unknown_field: 'the server does not know this field yet',
  invalid_value: 'the server does not accept this value',
  read_only: 'this can only be changed by your organisation',
  missing_reference: 'something that it refers to is no longer there',
  conflict: 'the same thing was saved from another device',
  limit_exceeded: 'together with what your other devices saved, it is larger than we can store',
  internal_error: 'the server failed on it; we will try again when the server has been updated',
  too_large: 'it is larger than we can send',
  storage_full: 'your account’s storage is full; we will send it again when there is room',
};

/** Ids and what repeats them mean nothing to a reader. */
const isTelling = ([name, value]: [string, unknown]): boolean =>
  value !== null && !/(^id|Id|At)$/.test(name) && !(Array.isArray(value) && value.length === 0);

/** `entireConversation` as "Entire conversation". */
function labelOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const lines = Array.isArray(value) ? value.flatMap((item: unknown) => spokenLine(item)) : [];
  return lines.length > 0 ? lines.join('\n') : JSON.stringify(value, null, 1);
};

/** A turn of a conversation is shown as what was said. */
function spokenLine(item: unknown): string[] {
  if (typeof item !== 'object' || item === null || !('text' in item) || typeof item.text !== 'string') return [];
  const isLearner = 'role' in item && item.role === 'learner';
  return [`${isLearner ? 'You' : 'Coach'}: ${item.text}`];
}

export function RejectedChanges(): ReactElement | null {
  const { queries } = useHost();
  const cache = useQueryClient();
  const rejected = useQuery(queries.sync.rejected.queryOptions());
  const dismiss = useMutation(
    queries.sync.dismissRejected.mutationOptions({
      onSuccess: () => cache.invalidateQueries({ queryKey: queries.sync.key() }),
    }),
  );
  if (rejected.data === undefined || rejected.data.length === 0) return null;
  return (
    <section className={css['rejected']} aria-labelledby="rejected-changes">
      <h3 id="rejected-changes">Could not be saved</h3>
      <Quiet small>
        The server refused these changes. Nothing else was held up, and they are kept here: copy what you need, then
        remove them.
      </Quiet>
      <ul className={css['rejected']}>
        {rejected.data.map((change) => (
          <Rejected key={change.id} change={change} onRemove={() => dismiss.mutate({ id: change.id })} />
        ))}
      </ul>
    </section>
  );
}

function Rejected({ change, onRemove }: { change: RejectedChange; onRemove: () => void }): ReactElement {
  const fields = Object.entries(change.fields).filter(isTelling);
  const inField = change.field === null ? '' : ` (${labelOf(change.field).toLowerCase()})`;
  const copy = (): void => void navigator.clipboard.writeText(JSON.stringify(change.fields, null, 2));
  return (
    <li className={css['refusal']}>
      <span>
        <strong>{KIND_BY_TABLE[change.table] ?? labelOf(change.table.replaceAll('_', ' '))}</strong>
        <Quiet small>
          {change.at.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}:{' '}
          {REASON_BY_CODE[change.code]}
          {inField}.
        </Quiet>
      </span>
      {fields.length > 0 && (
        <dl className={css['content']} tabIndex={0} aria-label="What was to be saved">
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt>{labelOf(name)}</dt>
              <dd>{textOf(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <Row>
        <Button look="quiet" onPress={copy}>
          Copy
        </Button>
        <Button look="quiet" onPress={onRemove}>
          Remove from the list
        </Button>
      </Row>
    </li>
  );
}
