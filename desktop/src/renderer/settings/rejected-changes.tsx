/** Shows the changes that the server rejected, with their full content, until the learner removes them. */
import { formatLocale, t } from '@parley/i18n';
import type { RejectedChange } from '@parley/contract';
import { Banner, Button, MutedText, Row } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useRef } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import { fieldLabel, tableLabel } from './field-label.ts';
import { rejectionReason } from './rejection-reason.ts';
import css from './settings.module.css';

/** Ids and timestamps mean nothing to the learner. */
const isReadableField = ([name, value]: [string, unknown]): boolean =>
  value !== null && !/(^id|Id|At)$/.test(name) && !(Array.isArray(value) && value.length === 0);

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

export function RejectedChanges({ onAllRemoved }: { onAllRemoved: () => void }): ReactElement | null {
  const { queries } = useHost();
  const cache = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  const rejected = useQuery(queries.sync.rejected.queryOptions());
  const dismiss = useMutation(
    queries.sync.dismissRejected.mutationOptions({
      onSuccess: () => cache.invalidateQueries({ queryKey: queries.sync.key() }),
    }),
  );
  if (rejected.data === undefined || rejected.data.length === 0) return null;
  return (
    <section className={css['rejected']} aria-labelledby="rejected-changes">
      <h3 id="rejected-changes" ref={heading} tabIndex={-1}>
        {t('Couldn’t be saved')}
      </h3>
      <MutedText small>
        {t(
          'The server refused these changes. Everything else was saved. They’re kept here: copy what you need, then remove them.',
        )}
      </MutedText>
      <ul className={css['rejected']}>
        {rejected.data.map((change) => (
          <RejectedChangeItem
            key={change.id}
            change={change}
            onRemove={() => {
              dismiss.mutate({ id: change.id });
              // The button that was pressed disappears with its change, and the heading with the last one.
              if (rejected.data.length > 1) heading.current?.focus();
              else onAllRemoved();
            }}
          />
        ))}
      </ul>
      {dismiss.isError && <ErrorBanner error={dismiss.error} />}
    </section>
  );
}

function RejectedChangeItem({ change, onRemove }: { change: RejectedChange; onRemove: () => void }): ReactElement {
  const fields = Object.entries(change.fields).filter(isReadableField);
  const copy = useMutation({
    mutationFn: () => navigator.clipboard.writeText(JSON.stringify(change.fields, null, 2)),
  });
  return (
    <li className={css['refusal']}>
      <span>
        <strong>{tableLabel(change.table)}</strong>
        <MutedText small>
          {change.at.toLocaleString(formatLocale(), { dateStyle: 'medium', timeStyle: 'short' })}
          {change.field !== null && ` · ${fieldLabel(change.field)}`}
        </MutedText>
        <MutedText small>{rejectionReason(change)}</MutedText>
      </span>
      {fields.length > 0 && (
        <dl className={css['content']} tabIndex={0} aria-label={t('Not saved')}>
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt>{fieldLabel(name)}</dt>
              <dd>{fieldText(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {copy.isError && (
        <Banner tone="error">{t('It couldn’t be copied. Select the text and copy it yourself.')}</Banner>
      )}
      <Row>
        <Button variant="quiet" onPress={() => copy.mutate()}>
          {t('Copy')}
        </Button>
        <Button variant="quiet" onPress={onRemove}>
          {t('Remove from the list')}
        </Button>
        <span role="status">{copy.isSuccess && t('Copied.')}</span>
      </Row>
    </li>
  );
}
