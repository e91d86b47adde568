/**
 * Invites learners from pasted addresses or a file. A preview shows how the input was understood before anything is
 * sent.
 */
import { t } from '@parley/i18n';
import { Banner, Button, Trans } from '@parley/ui';
import { MAX_INVITATIONS } from '@parley/contract';
import { joinSentences } from '@parley/domain';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useId, useState } from 'react';
import { client } from '../foundation/api/client.ts';
import { errorSentence } from '../foundation/api/error-sentence.ts';
import { formatNumber } from '../foundation/screen/format.ts';
import { Screen } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';
import { useUnsaved } from '../foundation/screen/unsaved.ts';
import { WrittenMailBanner } from '../foundation/screen/written-mail-banner.tsx';
import { decodeText } from './decode-text.ts';
import { parseAddresses } from './parse-addresses.ts';

type Progress =
  | { type: 'editing' }
  | { type: 'sending'; done: number }
  | { type: 'failed'; done: number; error: unknown }
  | { type: 'done'; invited: number; hadAccess: readonly string[] };

const EXAMPLE_ADDRESSES = 'Marta Kowalczyk <marta@nordhafen.example>\nyusuf@nordhafen.example';
const SHOWN = 20;
const MAX_FILE_BYTES = 2_000_000;

export function InviteScreen(): ReactElement {
  const [text, setText] = useState('');
  const [fileProblem, setFileProblem] = useState<string | null>(null);
  const [progress, setProgress] = useState<Progress>({ type: 'editing' });
  const queryClient = useQueryClient();
  const fieldId = useId();
  const { invitations, problems, repeated } = parseAddresses(text);
  useUnsaved(text !== '');

  const readFile = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > MAX_FILE_BYTES) {
      setFileProblem(t('This file is larger than 2 MB. Export only the addresses and names, or split it.'));
      return;
    }
    setFileProblem(null);
    setText(decodeText(await file.arrayBuffer()));
    setProgress({ type: 'editing' });
  };

  const send = async (): Promise<void> => {
    let done = 0;
    let invited = 0;
    const hadAccess: string[] = [];
    setProgress({ type: 'sending', done });
    try {
      for (let from = 0; from < invitations.length; from += MAX_INVITATIONS) {
        const result = await client.admin.invite({ invitations: invitations.slice(from, from + MAX_INVITATIONS) });
        invited += result.invited;
        hadAccess.push(...result.hadAccess);
        done = Math.min(invitations.length, from + MAX_INVITATIONS);
        setProgress({ type: 'sending', done });
      }
      setProgress({ type: 'done', invited, hadAccess });
      setText('');
    } catch (error) {
      setProgress({ type: 'failed', done, error });
    }
    await queryClient.invalidateQueries();
  };

  const isSending = progress.type === 'sending';
  return (
    <Screen
      title={t('Invite learners')}
      intro={t(
        'Each person gets access and an e-mail with a link that signs them in. An address that has access already gets no second e-mail.',
      )}
    >
      <WrittenMailBanner />
      {progress.type === 'done' && (
        <Banner>
          {joinSentences(t, [
            t('{count, plural, one {# invitation is on the way.} other {# invitations are on the way.}}', {
              count: progress.invited,
            }),
            ...(progress.hadAccess.length > 0
              ? [
                  t('{count, plural, one {# already had access.} other {# already had access.}}', {
                    count: progress.hadAccess.length,
                  }),
                ]
              : []),
          ])}{' '}
          <Link to="/mail">{t('See the e-mail log')}</Link>
        </Banner>
      )}
      {progress.type === 'failed' && (
        <Banner tone="error">
          {joinSentences(t, [
            errorSentence(progress.error),
            t('{done} of {total} invited. Press Invite again to continue; nobody gets a second e-mail.', {
              done: formatNumber(progress.done),
              total: formatNumber(invitations.length),
            }),
          ])}
        </Banner>
      )}
      <div className={table['columns']}>
        <form
          className={table['section']}
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <label className={table['label']} htmlFor={fieldId}>
            {t('Addresses, one person on each line')}
          </label>
          <textarea
            id={fieldId}
            className={table['area']}
            value={text}
            disabled={isSending}
            onChange={({ target }) => {
              setText(target.value);
              setProgress({ type: 'editing' });
            }}
            placeholder={EXAMPLE_ADDRESSES}
            dir="auto"
          />
          <label className={table['label']}>
            {t('Or open a CSV file')}
            <input
              type="file"
              accept=".csv,.txt,text/csv,text/plain"
              disabled={isSending}
              onChange={({ target }) => {
                void readFile(target.files?.[0]);
                // Reset, so that the same file can be opened again after it was corrected.
                target.value = '';
              }}
            />
          </label>
          {fileProblem !== null && <p role="alert">{fileProblem}</p>}
          <div className={table['buttons']}>
            <Button type="submit" variant="primary" isDisabled={isSending || invitations.length === 0}>
              {buttonLabel(progress, invitations.length)}
            </Button>
          </div>
        </form>
        <section className={table['section']} aria-label={t('Preview')}>
          <h2>
            {invitations.length === 0
              ? t('No addresses yet')
              : t('{count, plural, one {# found} other {# found}}', { count: invitations.length })}
          </h2>
          {repeated > 0 && (
            <p className={table['quiet']}>
              {t('{count, plural, one {# duplicate skipped.} other {# duplicates skipped.}}', {
                count: repeated,
              })}
            </p>
          )}
          <ul>
            {invitations.slice(0, SHOWN).map(({ email, firstName, lastName }) => (
              <li key={email}>
                <bdi>{email}</bdi>
                <div className={table['small']}>
                  <bdi>{[firstName, lastName].filter(Boolean).join(' ')}</bdi>
                </div>
              </li>
            ))}
          </ul>
          {invitations.length > SHOWN && (
            <p className={table['quiet']}>
              {t('{count, plural, one {and # more} other {and # more}}', { count: invitations.length - SHOWN })}
            </p>
          )}
          {problems.length > 0 && (
            <div role="alert">
              <h3>
                {t('{count, plural, one {One line has no address} other {# lines have no address}}', {
                  count: problems.length,
                })}
              </h3>
              <ul>
                {problems.slice(0, SHOWN).map(({ line, text: found }) => (
                  <li key={`${line} ${found}`}>
                    <Trans
                      id="Line {line}: <0>{text}</0>"
                      values={{ line, text: found.slice(0, 80) }}
                      components={{ 0: <bdi /> }}
                    />
                  </li>
                ))}
              </ul>
            </div>
          )}
        </section>
      </div>
    </Screen>
  );
}

function buttonLabel(progress: Progress, count: number): string {
  if (progress.type === 'sending')
    return t('{done} of {total}…', { done: formatNumber(progress.done), total: formatNumber(count) });
  return count <= 1 ? t('Invite') : t('{count, plural, one {Invite # learner} other {Invite # learners}}', { count });
}
