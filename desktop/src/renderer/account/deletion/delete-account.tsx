/** The dialog for account deletion; it asks for an e-mailed code when none was entered recently. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import type { AccountState } from '@parley/contract';
import { Address, Banner, Button, Dialog, MutedText, Row } from '@parley/ui';
import type { ReactElement } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import { ConfirmWithCode } from './confirm-with-code.tsx';
import { useConfirmedRequest } from './use-confirmed-request.ts';

export interface DeleteAccountProps {
  email: string;
  /** What happens to the learner's plan; null when they have none. */
  planNotice: string | null;
  onClose: () => void;
  onDeleted: (now: AccountState) => void;
}

export function DeleteAccount({ email, planNotice, onClose, onDeleted }: DeleteAccountProps): ReactElement {
  const { client } = useHost();
  const { request, requestCode, mustConfirm } = useConfirmedRequest(() => client.account.requestDeletion(), onDeleted);
  return (
    <Dialog title={t('Delete your account?')} isOpen onClose={onClose}>
      {mustConfirm ? (
        <ConfirmWithCode
          intro={
            <Trans
              id="We’re sending a code to <0>{email}</0>. Enter it to delete your account in thirty days."
              values={{ email }}
              components={{ 0: <Address /> }}
            />
          }
          action={t('Delete in 30 days')}
          cancel={t('Keep it')}
          requestCode={requestCode}
          onConfirmed={() => request.mutate()}
          onClose={onClose}
        />
      ) : (
        <>
          <MutedText>
            {t(
              'In thirty days everything the server keeps about you is erased: sessions, scores, words, devices. Until then you can change your mind here. What’s on this computer stays there.',
            )}
          </MutedText>
          {planNotice !== null && <Banner tone="warn">{planNotice}</Banner>}
          <MutedText>{t('You may want to export your data first.')}</MutedText>
          {request.isError && <ErrorBanner error={request.error} />}
          <Row>
            <Button variant="danger" onPress={() => request.mutate()} isDisabled={request.isPending}>
              {t('Delete in 30 days')}
            </Button>
            <Button onPress={onClose}>{t('Keep it')}</Button>
          </Row>
        </>
      )}
      {requestCode.isError && <ErrorBanner error={requestCode.error} />}
    </Dialog>
  );
}
