/** Signs this browser in with a code from an e-mail. The link in the same e-mail does so too. */
import { t } from '@parley/i18n';
import { Button, TextField, Trans } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { client } from '../foundation/api/client.ts';
import { errorSentence } from '../foundation/api/error-sentence.ts';
import { CodeField, NewCodeNotice } from '../foundation/dialogs/code-field.tsx';
import css from '../frame/frame.module.css';

export function SignInForm({
  email: initialEmail,
  onSignedIn,
}: {
  email: string;
  onSignedIn: () => void;
}): ReactElement {
  const [email, setEmail] = useState(initialEmail);
  const [requestId, setRequestId] = useState<string | null>(null);
  const [isMailWritten, setMailWritten] = useState(false);
  const [code, setCode] = useState('');
  const [resent, setResent] = useState(0);
  const request = useMutation({
    mutationFn: () => client.web.requestSignIn({ email, ...(requestId === null ? {} : { requestId }) }),
    onSuccess: (answer) => {
      setRequestId(answer.requestId);
      setMailWritten(answer.isMailWritten);
    },
  });
  const signIn = useMutation({
    mutationFn: (id: string) => client.web.signIn({ email, code: code.replaceAll(/\s/g, ''), requestId: id }),
    onSuccess: onSignedIn,
  });
  const error = signIn.error ?? request.error;
  const submit = (): void => {
    if (requestId === null) request.mutate();
    else signIn.mutate(requestId);
  };
  const sendAgain = (): void =>
    request.mutate(undefined, {
      onSuccess: () => {
        setCode('');
        signIn.reset();
        setResent(resent + 1);
      },
    });
  return (
    <form
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {requestId === null ? (
        <TextField
          label={t('Your e-mail address')}
          type="email"
          autoComplete="email"
          value={email}
          onChange={setEmail}
          maxLength={320}
          autoFocus
        />
      ) : (
        <>
          <p role="status">
            {isMailWritten ? (
              t(
                'This server sends no e-mail. The message with your code is a file in the folder “outbox” on the server; the person who runs it can read it there.',
              )
            ) : (
              <Trans
                id="If <0>{email}</0> is right, an e-mail with a code and a link is on its way. Type the six digits here, or open the link in this browser."
                values={{ email }}
                components={{ 0: <bdi /> }}
              />
            )}
          </p>
          {resent > 0 &&
            (isMailWritten ? <p role="status">{t('Use the newest file in that folder.')}</p> : <NewCodeNotice />)}
          <CodeField key={resent} value={code} onChange={setCode} />
        </>
      )}
      {error !== null && <p role="alert">{errorSentence(error)}</p>}
      <div className={css['buttons']}>
        <Button type="submit" variant="primary" isDisabled={request.isPending || signIn.isPending}>
          {requestId === null ? t('Send me a code') : t('Sign in')}
        </Button>
        {requestId !== null && (
          <>
            <Button onPress={sendAgain} isDisabled={request.isPending}>
              {t('Send another code')}
            </Button>
            <Button
              variant="quiet"
              onPress={() => {
                setRequestId(null);
                setResent(0);
              }}
            >
              {t('Use another address')}
            </Button>
          </>
        )}
      </div>
    </form>
  );
}
