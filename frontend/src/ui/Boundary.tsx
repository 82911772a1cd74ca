import { Component, type ReactNode } from 'react';
import { Problem } from './states';

/** Keeps a fault in one part of the page from taking the rest with it. */
export class Boundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return <Problem error={error} retry={() => this.setState({ error: null })} />;
  }
}
