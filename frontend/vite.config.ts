import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  base: './',
  css: {
    // By file and class alone, so that the same sources give the same bytes in any folder.
    modules: {
      generateScopedName: (name, file) => `${file.split('/').pop()?.split('.')[0]}_${name}`,
    },
  },
  build: {
    outDir: process.env.OUT_DIR ?? '../jobs/static/qforge',
    // The folder also holds files that are not built here.
    emptyOutDir: false,
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    modulePreload: false,
    cssCodeSplit: false,
    rollupOptions: {
      input: 'src/main.tsx',
      // A classic script: it also loads from a static host that sends no CORS headers.
      output: {
        format: 'iife',
        entryFileNames: 'app.js',
        assetFileNames: 'app[extname]',
        codeSplitting: false,
      },
    },
  },
  test: {
    environment: 'happy-dom',
    globals: true,
    setupFiles: ['src/testing/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
  },
});
