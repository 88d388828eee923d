export default { base: './', build: { outDir: 'built', target: 'es2022', chunkSizeWarningLimit: 4000 } };
