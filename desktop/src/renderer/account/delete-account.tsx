/** Leaving for good: what it means, a code from the learner's own e-mails when none was typed lately, and then it goes on by itself. */
import { type AccountState, SignInCode } from '@parley/contract';
import { Address, Banner, Button, Dialog, Quiet, Row, TextField } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { errorCode } from '../app/error-sentence.ts';
import { useHost } from '../app/host-context.tsx';
import { FailureBanner } from '../app/screen.tsx';

export interface DeleteAccountProps {
  email: string;
  /** What becomes of the learner's plan; null when they have none. */
  ofPlan: string | null;
  onClose: () => void;
  onDeleted: (now: AccountState) => void;
}

export function DeleteAccount({ email, ofPlan, onClose, onDeleted }: DeleteAccountProps): ReactElement {
  const { client } = useHost();
  const askForCode = useMutation({ mutationFn: () => client.account.requestConfirmation() });
  const remove = useMutation({
    mutationFn: () => client.account.requestDeletion(),
    onSuccess: onDeleted,
    onError: (error) => {
      if (errorCode(error) === 'auth.confirmation_required') askForCode.mutate();
    },
  });
  const mustConfirm = remove.isError && errorCode(remove.error) === 'auth.confirmation_required';
  return (
    <Dialog title="Delete your account?" isOpen onClose={onClose}>
      {mustConfirm ? (
        <Confirm
          email={email}
          isSent={askForCode.isSuccess}
          onSendAgain={() => askForCode.mutate()}
          onConfirmed={() => remove.mutate()}
          onClose={onClose}
        />
      ) : (
        <>
          <Quiet>
            In thirty days everything that the server holds of you is erased: sessions, scores, words, devices. Until
            then you can change your mind here. What is on this computer stays on it.
          </Quiet>
          {ofPlan !== null && <Banner tone="warn">{ofPlan}</Banner>}
          <Quiet>You may want to export your data first.</Quiet>
          {remove.isError && <FailureBanner error={remove.error} />}
          <Row>
            <Button look="danger" onPress={() => remove.mutate()} isDisabled={remove.isPending}>
              Delete it in thirty days
            </Button>
            <Button onPress={onClose}>Keep it</Button>
          </Row>
        </>
      )}
      {askForCode.isError && <FailureBanner error={askForCode.error} />}
    </Dialog>
  );
}

interface ConfirmProps {
  email: string;
  isSent: boolean;
  onSendAgain: () => void;
  onConfirmed: () => void;
  onClose: () => void;
}

function Confirm({ email, isSent, onSendAgain, onConfirmed, onClose }: ConfirmProps): ReactElement {
  const { client } = useHost();
  const [typed, setTyped] = useState('');
  const code = SignInCode.safeParse(typed.replaceAll(/\s/g, ''));
  const confirm = useMutation({
    mutationFn: (digits: string) => client.account.confirm({ code: digits }),
    onSuccess: onConfirmed,
  });
  const isWrong = confirm.isError && errorCode(confirm.error) === 'sign_in.code_wrong';
  const maySubmit = code.success && !confirm.isPending && !confirm.isSuccess && !isWrong;
  const submit = (): void => {
    if (maySubmit) confirm.mutate(code.data);
  };
  return (
    <>
      <p>
        {isSent ? 'We have sent' : 'We are sending'} a code to <Address>{email}</Address>. Enter it to delete your
        account in thirty days.
      </p>
      <TextField
        label="Code"
        value={typed}
        onChange={(digits) => {
          setTyped(digits);
          confirm.reset();
        }}
        onSubmit={submit}
        autoFocus
        isInvalid={isWrong}
        maxLength={12}
        inputMode="numeric"
        autoComplete="one-time-code"
      />
      {confirm.isError && <FailureBanner error={confirm.error} />}
      <Row>
        <Button look="danger" onPress={submit} isDisabled={!maySubmit}>
          Delete it in thirty days
        </Button>
        <Button onPress={onSendAgain}>Send another code</Button>
        <Button onPress={onClose}>Keep it</Button>
      </Row>
    </>
  );
}
