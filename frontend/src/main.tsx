import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import './tokens.css';
import './base.css';
import { basePath } from './boot';
import { applyTheme } from './lib/preferences';
import { App } from './shell/App';

applyTheme();

const client = new QueryClient({
  defaultOptions: {
    // A failed poll is tried again by the next one; the browser's idea of "offline" is often wrong.
    queries: {
      retry: false,
      networkMode: 'always',
      staleTime: 1_000,
      // What has changed meanwhile is told as soon as the page is seen again.
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

const root = document.getElementById('qforge');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Router base={basePath()}>
          <App />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  );
}
