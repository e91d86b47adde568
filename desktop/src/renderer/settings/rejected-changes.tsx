/** Shows the changes that the server rejected, with their full content, until the learner removes them. */
import { formatLocale, t } from '@parley/i18n';
import type { RejectedChange } from '@parley/contract';
import { Button, MutedText, Row } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import css from './settings.module.css';

const KIND_BY_TABLE: Record<string, string> = {
  users: t('Your profile'),
  practice_history: t('A practice session'),
  ai_conversations: t('A line of a conversation'),
  user_course_interaction: t('A step in a course'),
  feedback_details: t('Feedback on a session'),
  coach_assignment_history: t('Your chosen coach'),
  enrollments: t('A course that you joined'),
  pronunciation_improvement_summary: t('Your words to train'),
};

const REASON_BY_CODE: Record<RejectedChange['code'], string> = {
  not_yours: t('it belongs to another account'),
  account_field: t('only your organisation can change this'),
  unknown_table: t('the server does not know this kind of data yet'),
  unknown_field: t('the server does not know this field yet'),
  invalid_value: t('the server does not accept this value'),
  read_only: t('this can only be changed by your organisation'),
  missing_reference: t('something that it refers to is no longer there'),
  conflict: t('the same thing was saved from another device'),
  limit_exceeded: t('together with what your other devices saved, it is larger than we can store'),
  internal_error: 'the server failed on it; we will try again when the server has been updated',
  too_large: t('it is larger than we can send'),
  storage_full: 'your account’s storage is full; we will send it again when there is room',
};

/** Ids and timestamps mean nothing to the learner. */
const isReadableField = ([name, value]: [string, unknown]): boolean =>
  value !== null && !/(^id|Id|At)$/.test(name) && !(Array.isArray(value) && value.length === 0);

/** Turns `entireConversation` into "Entire conversation". */
function fieldLabel(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const fieldText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const lines = Array.isArray(value) ? value.flatMap((item: unknown) => formatTurn(item)) : [];
  return lines.length > 0 ? lines.join('\n') : JSON.stringify(value, null, 1);
};

/** Shows a turn as its spoken text. */
function formatTurn(item: unknown): string[] {
  if (typeof item !== 'object' || item === null || !('text' in item) || typeof item.text !== 'string') return [];
  const isLearner = 'role' in item && item.role === 'learner';
  return [`${isLearner ? t('You') : t('Coach')}: ${item.text}`];
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
      <h3 id="rejected-changes">{t('Couldn’t be saved')}</h3>
      <MutedText small>
        {t(
          'The server refused these changes. Nothing else was held up, and they are kept here: copy what you need, then remove them.',
        )}
      </MutedText>
      <ul className={css['rejected']}>
        {rejected.data.map((change) => (
          <RejectedChangeItem key={change.id} change={change} onRemove={() => dismiss.mutate({ id: change.id })} />
        ))}
      </ul>
    </section>
  );
}

function RejectedChangeItem({ change, onRemove }: { change: RejectedChange; onRemove: () => void }): ReactElement {
  const fields = Object.entries(change.fields).filter(isReadableField);
  const inField = change.field === null ? '' : ` (${fieldLabel(change.field).toLowerCase()})`;
  const copy = (): void => void navigator.clipboard.writeText(JSON.stringify(change.fields, null, 2));
  return (
    <li className={css['refusal']}>
      <span>
        <strong>{KIND_BY_TABLE[change.table] ?? fieldLabel(change.table.replaceAll('_', ' '))}</strong>
        <MutedText small>
          {change.at.toLocaleString(formatLocale(), { dateStyle: 'medium', timeStyle: 'short' })}:{' '}
          {REASON_BY_CODE[change.code]}
          {inField}.
        </MutedText>
      </span>
      {fields.length > 0 && (
        <dl className={css['content']} tabIndex={0} aria-label={t('What was to be saved')}>
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt>{fieldLabel(name)}</dt>
              <dd>{fieldText(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <Row>
        <Button variant="quiet" onPress={copy}>
          {t('Copy')}
        </Button>
        <Button variant="quiet" onPress={onRemove}>
          {t('Remove from the list')}
        </Button>
      </Row>
    </li>
  );
}
