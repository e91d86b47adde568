/** Asks for the e-mailed code that an action which cannot be undone needs. */
import { t } from '@parley/i18n';
import { SignInCode } from '@parley/contract';
import { Button, Row } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { errorCode } from '../../foundation/sentences/error-sentence.ts';
import { useHost } from '../../foundation/host/host-context.tsx';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import { CodeField } from '../sign-in/code-field.tsx';

interface ConfirmWithCodeProps {
  /** Says where the code was sent and what entering it does. */
  intro: ReactElement;
  /** The label of the button that does it. */
  action: string;
  onSendAgain: () => void;
  onConfirmed: () => void;
  onClose: () => void;
}

export function ConfirmWithCode({
  intro,
  action,
  onSendAgain,
  onConfirmed,
  onClose,
}: ConfirmWithCodeProps): ReactElement {
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
      <p>{intro}</p>
      <CodeField
        value={typed}
        onChange={(digits) => {
          setTyped(digits);
          confirm.reset();
        }}
        onSubmit={submit}
        isInvalid={isWrong}
      />
      {confirm.isError && <ErrorBanner error={confirm.error} />}
      <Row>
        <Button variant="danger" onPress={submit} isDisabled={!maySubmit}>
          {action}
        </Button>
        <Button onPress={onSendAgain}>{t('Send another code')}</Button>
        <Button onPress={onClose}>{t('Keep it')}</Button>
      </Row>
    </>
  );
}
