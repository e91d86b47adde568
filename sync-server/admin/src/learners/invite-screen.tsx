/** Invites learners by pasted addresses or a file. A preview shows what was understood before anything is sent. */
import { Banner, Button } from '@parley/ui';
import { MAX_INVITATIONS } from '@parley/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useId, useState } from 'react';
import { client } from '../foundation/api/client.ts';
import { errorSentence } from '../foundation/api/error-sentence.ts';
import { formatNumber } from '../foundation/screen/format.ts';
import { Screen } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';
import { parseAddresses } from './parse-addresses.ts';

type Progress =
  | { type: 'editing' }
  | { type: 'sending'; done: number }
  | { type: 'failed'; done: number; error: unknown }
  | { type: 'done'; invited: number; hadAccess: readonly string[] };

const SHOWN = 20;
const MAX_FILE_BYTES = 2_000_000;

export function InviteScreen(): ReactElement {
  const [text, setText] = useState('');
  const [fileProblem, setFileProblem] = useState<string | null>(null);
  const [progress, setProgress] = useState<Progress>({ type: 'editing' });
  const queryClient = useQueryClient();
  const fieldId = useId();
  const { invitations, problems, repeated } = parseAddresses(text);

  const readFile = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > MAX_FILE_BYTES) {
      setFileProblem('This file is larger than 2 MB. Export only the addresses and names, or split it.');
      return;
    }
    setFileProblem(null);
    setText(await file.text());
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
      title="Invite learners"
      intro="Each person gets access and an e-mail with a link that signs them in. An address that has access already gets no second e-mail."
    >
      {progress.type === 'done' && (
        <Banner>
          {formatNumber(progress.invited)} {progress.invited === 1 ? 'invitation is' : 'invitations are'} on the way.
          {progress.hadAccess.length > 0 && ` ${formatNumber(progress.hadAccess.length)} had access already.`}{' '}
          <Link to="/mail">See the mail log</Link>
        </Banner>
      )}
      {progress.type === 'failed' && (
        <Banner tone="error">
          {errorSentence(progress.error)} {formatNumber(progress.done)} of {formatNumber(invitations.length)} are
          invited. Press Invite again to go on; nobody gets a second e-mail.
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
            Addresses, one person on each line
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
            placeholder={'Marta Kowalczyk <marta@nordhafen.example>\nyusuf@nordhafen.example'}
            dir="auto"
          />
          <label className={table['label']}>
            Or open a CSV file
            <input
              type="file"
              accept=".csv,.txt,text/csv,text/plain"
              disabled={isSending}
              onChange={({ target }) => void readFile(target.files?.[0])}
            />
          </label>
          {fileProblem !== null && <p role="alert">{fileProblem}</p>}
          <div className={table['buttons']}>
            <Button type="submit" variant="primary" isDisabled={isSending || invitations.length === 0}>
              {buttonLabel(progress, invitations.length)}
            </Button>
          </div>
        </form>
        <section className={table['section']} aria-label="Preview">
          <h2>{invitations.length === 0 ? 'No addresses yet' : `${formatNumber(invitations.length)} found`}</h2>
          {repeated > 0 && <p className={table['quiet']}>{formatNumber(repeated)} repeated and left out.</p>}
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
            <p className={table['quiet']}>and {formatNumber(invitations.length - SHOWN)} more</p>
          )}
          {problems.length > 0 && (
            <div role="alert">
              <h3>
                {problems.length === 1
                  ? 'One line has no address'
                  : `${formatNumber(problems.length)} lines have no address`}
              </h3>
              <ul>
                {problems.slice(0, SHOWN).map(({ line, text: found }) => (
                  <li key={`${line} ${found}`}>
                    Line {line}: <bdi>{found.slice(0, 80)}</bdi>
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
  if (progress.type === 'sending') return `${formatNumber(progress.done)} of ${formatNumber(count)} …`;
  return count <= 1 ? 'Invite' : `Invite ${formatNumber(count)} learners`;
}
