# heed with everything it needs:  docker build -t heed . && docker run -it heed ./heed learn
FROM debian:12
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
COPY . /heed
WORKDIR /heed
ENV TERM=xterm-256color
RUN apt-get update && ./heed help && rm -rf /var/lib/apt/lists/*
CMD ["./heed"]
