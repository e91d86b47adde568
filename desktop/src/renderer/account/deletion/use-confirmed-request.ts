/** A request that the server accepts only from a learner who has recently entered an e-mailed code. */
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { useHost } from '../../foundation/host/host-context.tsx';
import { errorCode } from '../../foundation/sentences/error-sentence.ts';

const CONFIRMATION_REQUIRED = 'auth.confirmation_required';

export interface ConfirmedRequest<Answer> {
  request: UseMutationResult<Answer, Error, void>;
  /** Sends the code. It runs by itself when the server asks for one. */
  requestCode: UseMutationResult<{ isMailWritten: boolean }, Error, void>;
  mustConfirm: boolean;
}

export function useConfirmedRequest<Answer>(
  send: () => Promise<Answer>,
  onDone: (answer: Answer) => void,
): ConfirmedRequest<Answer> {
  const { client } = useHost();
  const requestCode = useMutation({ mutationFn: () => client.account.requestConfirmation() });
  const request = useMutation({
    mutationFn: send,
    onSuccess: onDone,
    onError: (error) => {
      if (errorCode(error) === CONFIRMATION_REQUIRED) requestCode.mutate();
    },
  });
  return { request, requestCode, mustConfirm: request.isError && errorCode(request.error) === CONFIRMATION_REQUIRED };
}
