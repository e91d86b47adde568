/** Asks for a sign-in or a code on top of the screen, so that nothing typed there is lost. */
import { t } from '@parley/i18n';
import { Button, Dialog, Trans } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { api, client, identity } from '../foundation/api/client.ts';
import { errorSentence } from '../foundation/api/error-sentence.ts';
import type { IdentityNeed } from '../foundation/api/identity.ts';
import { SignInForm } from '../sign-in/sign-in-form.tsx';
import { CodeField, NewCodeNotice } from '../foundation/dialogs/code-field.tsx';
import { EnterSecondFactor, SetUpSecondFactor } from '../foundation/dialogs/second-factor-forms.tsx';
import css from './frame.module.css';

export function IdentityDialog({ need, email }: { need: IdentityNeed; email: string | null }): ReactElement {
  return (
    <Dialog title={TITLES[need]} isOpen onClose={() => identity.settle(false)}>
      {need === 'sign_in' ? (
        <>
          <p>{t('Your session has ended. What you typed is still here.')}</p>
          <SignInForm email={email ?? ''} onSignedIn={() => identity.settle(true)} />
        </>
      ) : (
        <OtherNeed need={need} email={email} />
      )}
    </Dialog>
  );
}

const TITLES: Readonly<Record<IdentityNeed, string>> = {
  sign_in: t('Sign in again'),
  proof: t('Confirm that it’s you'),
  second_factor: t('Authenticator app'),
  set_up: t('Set up an authenticator app'),
};

function OtherNeed({ need, email }: { need: Exclude<IdentityNeed, 'sign_in'>; email: string | null }): ReactElement {
  if (need === 'proof') return <ProofForm email={email} />;
  return need === 'set_up' ? (
    <>
      <p>{t('Your school requires admins to use an authenticator app.')}</p>
      <SetUpSecondFactor onDone={() => identity.settle(true)} />
    </>
  ) : (
    <EnterSecondFactor onDone={() => identity.settle(true)} onCancel={() => identity.settle(false)} />
  );
}

function ProofForm({ email }: { email: string | null }): ReactElement {
  const [code, setCode] = useState('');
  const [resent, setResent] = useState(0);
  const isMailWritten = useQuery(api.admin.overview.queryOptions({ input: {} })).data?.isMailWritten === true;
  // A query, because the message is requested as soon as the dialog opens.
  const request = useQuery({ ...api.admin.requestProof.queryOptions({ input: {} }), staleTime: Infinity, gcTime: 0 });
  const prove = useMutation({
    mutationFn: () => client.admin.prove({ code: code.replaceAll(/\s/g, '') }),
    onSuccess: () => identity.settle(true),
  });
  const error = prove.error ?? request.error;
  const sendAgain = async (): Promise<void> => {
    const { isSuccess } = await request.refetch();
    if (!isSuccess) return;
    setCode('');
    prove.reset();
    setResent(resent + 1);
  };
  return (
    <form
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault();
        prove.mutate();
      }}
    >
      <p>
        {isMailWritten ? (
          t(
            'This server sends no e-mail. The message with your code is a file in the folder “outbox” on the server; the person who runs it can read it there.',
          )
        ) : (
          <Trans
            id="This needs a code from the last ten minutes. We’re sending six digits to <0>{email}</0>."
            values={{ email }}
            components={{ 0: <bdi /> }}
          />
        )}
      </p>
      {resent > 0 &&
        (isMailWritten ? <p role="status">{t('Use the newest file in that folder.')}</p> : <NewCodeNotice />)}
      <CodeField key={resent} value={code} onChange={setCode} />
      {error !== null && <p role="alert">{errorSentence(error)}</p>}
      <div className={css['buttons']}>
        <Button type="submit" variant="primary" isDisabled={prove.isPending}>
          {t('Continue')}
        </Button>
        <Button onPress={() => void sendAgain()} isDisabled={request.isFetching}>
          {t('Send another code')}
        </Button>
        <Button variant="quiet" onPress={() => identity.settle(false)}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  );
}
