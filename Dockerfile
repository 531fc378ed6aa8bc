# The program alone in a small image.
#   docker build -t dwell .
#   docker run --rm -v "$PWD:/models" dwell check model.xml
FROM rust:1-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked --package dwell && strip target/release/dwell

FROM debian:bookworm-slim
COPY --from=build /src/target/release/dwell /usr/local/bin/dwell
WORKDIR /models
USER nobody
ENTRYPOINT ["dwell"]
