/** Four ways to leave a conversation; only one of them forgets it, and it asks first. */
import type { SessionId } from '@parley/domain';
import { Button, Dialog, Quiet } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { FailureBanner } from '../app/screen.tsx';

export interface EndDialogProps {
  sessionId: SessionId;
  isOpen: boolean;
  onClose: () => void;
  onFinish: () => void;
}

export function EndDialog({ sessionId, isOpen, onClose, onFinish }: EndDialogProps): ReactElement {
  const { client } = useHost();
  const navigate = useNavigate();
  const [isSure, setSure] = useState(false);
  const goHome = (): Promise<void> => navigate({ to: '/' });
  const later = useMutation({
    mutationFn: () => client.practice.pause({ sessionId }),
    onSuccess: goHome,
    onError: goHome,
  });
  const discard = useMutation({ mutationFn: () => client.practice.discard({ sessionId }), onSuccess: goHome });
  const close = (): void => {
    setSure(false);
    onClose();
  };
  if (isSure) {
    return (
      <Dialog title="Delete this session?" isOpen={isOpen} onClose={close}>
        <Quiet>What you said in it will be deleted on all your devices. This cannot be undone.</Quiet>
        <Button look="danger" onPress={() => discard.mutate()} isDisabled={discard.isPending}>
          Delete it
        </Button>
        <Button onPress={() => setSure(false)}>Keep it</Button>
        {discard.isError && <FailureBanner error={discard.error} />}
      </Dialog>
    );
  }
  return (
    <Dialog title="End the conversation" isOpen={isOpen} onClose={close}>
      <Button
        look="primary"
        icon="check"
        onPress={() => {
          close();
          onFinish();
        }}
      >
        Finish and see the result
      </Button>
      <Button icon="clock" onPress={() => later.mutate()}>
        Go on another time
      </Button>
      <Button onPress={close}>Keep talking</Button>
      <Button look="danger" onPress={() => setSure(true)}>
        Delete this session …
      </Button>
    </Dialog>
  );
}
