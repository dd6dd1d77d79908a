export default { entry: './main.js', mode: process.env.NODE_ENV, output: { path: import.meta.dirname + '/out' }, devServer: { static: '.', host: '127.0.0.1', client: false, hot: false } };
