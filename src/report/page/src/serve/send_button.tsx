// A button that asks the server for something, and cannot be pressed again before that is done.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface SendButtonProps {
  id?: string;
  title?: string;
  isMain?: boolean;
  isDisabled?: boolean;
  onSend: () => Promise<void>;
  children: ComponentChildren;
}

export function SendButton({ id, title, isMain = false, isDisabled = false, onSend, children }: SendButtonProps) {
  const [isSending, setSending] = useState(false);
  const send = async () => {
    setSending(true);
    await onSend();
    setSending(false);
  };
  return (
    <button
      id={id}
      title={title}
      class={isMain ? "main" : undefined}
      disabled={isDisabled || isSending}
      aria-busy={isSending}
      onClick={() => void send()}
    >
      {children}
    </button>
  );
}
