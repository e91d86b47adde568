/** Offers four ways to leave a session; only deletion loses it, and that asks for confirmation. */
import { t } from '@parley/i18n';
import type { SessionId } from '@parley/domain';
import { Button, Dialog, MutedText } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';

export interface EndSessionDialogProps {
  sessionId: SessionId;
  isOpen: boolean;
  onClose: () => void;
  onFinish: () => void;
}

export function EndSessionDialog({ sessionId, isOpen, onClose, onFinish }: EndSessionDialogProps): ReactElement {
  const { client } = useHost();
  const navigate = useNavigate();
  const [isConfirmingDeletion, setConfirmingDeletion] = useState(false);
  const goHome = (): Promise<void> => navigate({ to: '/' });
  const postpone = useMutation({
    mutationFn: () => client.practice.pause({ sessionId }),
    onSuccess: goHome,
    onError: goHome,
  });
  const discard = useMutation({ mutationFn: () => client.practice.discard({ sessionId }), onSuccess: goHome });
  const close = (): void => {
    setConfirmingDeletion(false);
    onClose();
  };
  if (isConfirmingDeletion) {
    return (
      <Dialog title={t('Delete this session?')} isOpen={isOpen} onClose={close}>
        <MutedText>{t('What you said in it will be deleted on all your devices. This can’t be undone.')}</MutedText>
        <Button variant="danger" onPress={() => discard.mutate()} isDisabled={discard.isPending}>
          {t('Delete it')}
        </Button>
        <Button onPress={() => setConfirmingDeletion(false)}>{t('Keep it')}</Button>
        {discard.isError && <ErrorBanner error={discard.error} />}
      </Dialog>
    );
  }
  return (
    <Dialog title={t('End the conversation')} isOpen={isOpen} onClose={close}>
      <Button
        variant="primary"
        icon="check"
        onPress={() => {
          close();
          onFinish();
        }}
      >
        {t('Finish and see the result')}
      </Button>
      <Button icon="clock" onPress={() => postpone.mutate()}>
        {t('Continue another time')}
      </Button>
      <Button onPress={close}>{t('Keep talking')}</Button>
      <Button variant="danger" onPress={() => setConfirmingDeletion(true)}>
        {t('Delete this session…')}
      </Button>
    </Dialog>
  );
}
