/** Marks a sentence that is translated when it is shown. */
export const msg = <Message extends string>(message: Message): Message => message;
