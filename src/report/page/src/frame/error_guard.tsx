// An error in a view is shown in place of the view.
import { Component, type ComponentChildren } from "preact";
import { PageError } from "../data/sections";

export function errorText(error: unknown): string {
  return error instanceof PageError
    ? error.message
    : `This cannot be shown: the data of this file is damaged, or the page has a bug (${String(error)}).`;
}

export const ErrorText = ({ text }: { text: string }) => (
  <p class="error" role="alert">
    {text}
  </p>
);

/** Shows its children, or why they cannot be drawn. It tries again whenever something changes. */
export class ErrorGuard extends Component<{ children: ComponentChildren }, { error: string }> {
  override state = { error: "" };
  static override getDerivedStateFromError(error: unknown) {
    return { error: errorText(error) };
  }
  override componentWillReceiveProps() {
    this.setState({ error: "" });
  }
  render() {
    return this.state.error === "" ? this.props.children : <ErrorText text={this.state.error} />;
  }
}
